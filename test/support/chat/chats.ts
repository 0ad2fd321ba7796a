import { createParser } from 'eventsource-parser';
import type { Client } from '../client';
import { expectChatEvents } from '../event-schemas';
import type { Stand } from '../processes/stand';
import { until } from '../until';

/** The modes of a chat: one response, a stream, or in the background. */
export const CHAT_MODES = ['plain', 'streamed', 'background'] as const;
export type ChatMode = (typeof CHAT_MODES)[number];

export interface ChatFrame {
  id?: string;
  event: string;
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

/** One chat, and everything that a caller received of it. */
export interface ChatTranscript {
  // oxlint-disable-next-line typescript/no-explicit-any
  reply: any;
  /** Empty for a plain chat. */
  frames: ChatFrame[];
  /** Every byte of the bodies. */
  bytes: string;
  id: string;
  token: string;
}

/** Runs a chat until it has ended or is suspended. */
export async function runChat(
  mode: ChatMode,
  client: Client,
  body: object,
): Promise<ChatTranscript> {
  const more = {
    plain: {},
    streamed: { stream: true },
    background: { background: true },
  }[mode];
  const { status, body: first } = await client.post('/api/v1/chat', {
    ...body,
    ...more,
  });
  expect({ status, first }).toMatchObject({
    status: mode === 'background' ? 202 : 200,
  });
  if (mode === 'background')
    return readChat(client, first.chat_id, first.invocation_token);
  const frames = mode === 'streamed' ? framesOf(first as string) : [];
  const reply = mode === 'streamed' ? frames.at(-1)!.data : first;
  return {
    reply,
    frames,
    bytes: typeof first === 'string' ? first : JSON.stringify(first),
    id: reply.chat_id,
    token: reply.invocation_token,
  };
}

/** Everything that can be read of a background chat, once it has ended or is suspended. */
export async function readChat(
  client: Client,
  id: string,
  token: string,
): Promise<ChatTranscript> {
  const headers = { 'x-invocation-token': token };
  const path = `/api/v1/chat/${id}`;
  const { body: reply } = await client.settled(path, headers);
  const bytes = await readEvents(client, path, headers, reply.status);
  return {
    reply,
    frames: framesOf(bytes),
    bytes: bytes + JSON.stringify(reply),
    id,
    token,
  };
}

/** The events up to the last, or to the one that reports the suspension. */
async function readEvents(
  { url }: Client,
  path: string,
  headers: Record<string, string>,
  status: string,
): Promise<string> {
  const reading = new AbortController();
  const reply = await fetch(`${url}${path}/events`, {
    headers,
    signal: reading.signal,
  });
  const last = status === 'requires_action' && 'event: requires_action';
  let bytes = '';
  const decoder = new TextDecoder();
  for await (const chunk of reply.body!) {
    bytes += decoder.decode(chunk, { stream: true });
    const at = last ? bytes.lastIndexOf(last) : -1;
    if (at >= 0 && bytes.includes('\n\n', at)) break;
  }
  reading.abort();
  return bytes;
}

export function framesOf(text: string): ChatFrame[] {
  const frames: ChatFrame[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      void frames.push({ id, event: event!, data: JSON.parse(data) }),
  });
  parser.feed(text);
  expectChatEvents(frames);
  return frames;
}

/** Resolves once a run is active and its id is recorded, so that a takeover continues it without a second purchase. */
export async function untilResearchRuns(stand: Stand): Promise<void> {
  await until('research to run', async (saw) => {
    const { creates_by_invocation } = saw(await stand.stats());
    const [id] = Object.keys(creates_by_invocation);
    if (id === undefined) return false;
    return (await stand.redis.dump(`sonde:{${id}}:record`)).includes('resp_');
  });
}

/** The text of all deltas. */
export function deltaText(frames: readonly ChatFrame[]): string {
  return frames
    .filter(({ event }) => event === 'delta')
    .flatMap(({ data }) => data.contents ?? [])
    .map(({ text = '' }: { text?: string }) => text)
    .join('');
}

/** A JSON string in which the text appears only after parsing. */
export function escapedJson(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).padStart(4, '0'),
  );
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}

/** Makes the sandbox's model call a tool with these texts. */
export function calling(name: string, args: Record<string, string | number>) {
  const fields = Object.entries(args).map(
    ([key, value]) =>
      `${JSON.stringify(key)}: ${typeof value === 'string' ? escapedJson(value) : value}`,
  );
  return `[sandbox: call ${name} {${fields.join(', ')}}]`;
}

/** Makes the sandbox's model answer this once it calls no tool. */
export function answering(text: string): string {
  return `[sandbox: answer ${escapedJson(text)}]`;
}
