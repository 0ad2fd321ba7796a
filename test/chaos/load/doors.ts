import type { Client, Reply } from '../../support/client';
import type { Mode } from '../schedule';
import type { SeenRecord } from './observed-run';

export const DOORS = ['rest', 'openai', 'mcp'] as const;
export type DoorName = (typeof DOORS)[number];

export interface Question {
  text: string;
  mode: Mode;
  /** The engine agent carries it. */
  agent: boolean;
  /** The submission may be repeated under it. */
  key?: string;
}

/** What a reply says of the run that it has accepted. */
export interface Acknowledged {
  id: string;
  /** Undefined: the API key opens it. */
  token?: string;
  /** The record, where the reply came at its end. */
  record?: SeenRecord;
}

/** A way in. Every run can then be read, followed and stopped over REST, whichever it came by. */
export interface Door {
  submit(client: Client, question: Question, end: AbortSignal): Promise<Reply>;
  read(reply: Reply): Acknowledged;
}

const keyed = (key?: string): Record<string, string> =>
  key === undefined ? {} : { 'idempotency-key': key };

const rest: Door = {
  submit(client, { text, mode, agent, key }, signal) {
    const flag = mode === 'foreground' ? {} : { [mode]: true };
    return client.request('POST', '/api/v1/tool-invocations', {
      headers: keyed(key),
      signal,
      body: {
        tool_name: 'deep_research',
        arguments: {
          research_question: text,
          ...flag,
          ...(agent && { engine: 'agent' }),
        },
      },
    });
  },
  read({ status, body }) {
    const { invocation_id: id, invocation_token: token } = body;
    return { id, token, ...(status === 200 && { record: body }) };
  },
};

/** Its streams have a test of their own, which cuts them at every event. */
const openai: Door = {
  async submit(client, { text, mode, key }, signal) {
    const request = client.request('POST', '/v1/responses', {
      headers: keyed(key),
      signal,
      body: {
        model: 'o3-deep-research',
        input: text,
        background: mode !== 'foreground',
      },
    });
    try {
      return await request;
    } catch (error) {
      // A long reply that a shutdown ends has white space alone.
      if (error instanceof SyntaxError) throw new TypeError('cut');
      throw error;
    }
  },
  read({ body }) {
    const id = body.id.replace('resp_', 'inv_');
    if (body.status !== 'completed') return { id };
    const record = {
      status: body.status,
      output_text: body.output.at(-1).content[0].text,
      error: null,
    };
    return { id, record: record as SeenRecord };
  },
};

const mcp: Door = {
  async submit(client, { text, agent, key }, signal) {
    const reply = await client.request('POST', '/mcp', {
      headers: { accept: 'application/json, text/event-stream' },
      signal,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'research_start',
          arguments: {
            research_question: text,
            ...(agent && { engine: 'agent' }),
            ...(key !== undefined && { idempotency_key: key }),
          },
        },
      },
    });
    if (reply.status !== 200) return reply;
    const { result, error } = messageIn(reply.body);
    const body = result?.structuredContent ?? { error };
    if (result && body.status !== 'refused') return { ...reply, body };
    // As the other doors would have refused it.
    const { http_status: status = 500, retry_after_seconds: seconds } =
      body.error ?? {};
    const headers = new Headers(
      seconds === undefined ? {} : { 'retry-after': String(seconds) },
    );
    return { status, headers, body };
  },
  read: ({ body }) => ({ id: body.invocation_id }),
};

// oxlint-disable-next-line typescript/no-explicit-any
function messageIn(body: any): any {
  if (typeof body !== 'string') return body;
  const data = /^data: (.+)$/m.exec(body)?.[1];
  if (data === undefined) throw new TypeError('cut');
  return JSON.parse(data);
}

export const doors: Record<DoorName, Door> = { rest, openai, mcp };
