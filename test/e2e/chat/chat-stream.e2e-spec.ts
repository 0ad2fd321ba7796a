import { createParser } from 'eventsource-parser';
import type { MessageDelta } from '../../../src/platform/message/delta';
import { all, Client } from '../../support/client';
import { expectChatEvents } from '../../support/event-schemas';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const GREETING = 'Hello there!';
const QUESTION = 'Research the history of jajangmyeon in detail';
const ENDS = ['completed', 'error'];

interface ChatFrame {
  id: string;
  event: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

describe('a streamed chat', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      env: { DISABLE_NATIVE_TOOLS_FOR_MODELS: 'prompted' },
    });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  async function* framesOf(
    body: object,
    { api = client, signal }: { api?: Client; signal?: AbortSignal } = {},
  ): AsyncGenerator<ChatFrame> {
    const reply = await fetch(`${api.url}/api/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ stream: true, ...body }),
      signal,
    });
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    const frames: ChatFrame[] = [];
    const parser = createParser({
      onEvent: ({ id, event, data }) =>
        void frames.push({ id: id!, event: event!, data: JSON.parse(data) }),
    });
    const decoder = new TextDecoder();
    for await (const chunk of reply.body!) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* frames.splice(0);
    }
  }

  async function chat(message: string, more: object = {}) {
    const frames = await all(framesOf({ message, ...more }));
    expectChatEvents(frames);
    expect(frames.map(({ id }) => id)).toEqual(
      frames.map((_, at) => String(at + 1)),
    );
    const ends = frames.filter(({ event }) => ENDS.includes(event));
    expect(ends).toEqual([frames.at(-1)]);
    return { frames, end: frames.at(-1)! };
  }

  /** The text of each turn that has any. */
  function receivedText(frames: readonly ChatFrame[]): string[] {
    const parts = new Map<number, string>();
    for (const { event, data } of frames)
      if (event === 'delta')
        for (const { index, text = '' } of (data as MessageDelta).contents ??
          [])
          parts.set(index, (parts.get(index) ?? '') + text);
    return [...parts.values()];
  }

  it('the deltas join to the content of the final event', async () => {
    const { frames, end } = await chat(GREETING);
    expect(frames.length).toBeGreaterThan(3);
    expect(end.event).toBe('completed');
    expect(receivedText(frames)).toEqual([end.data.content]);
  });

  it('the Accept header requests a stream as well', async () => {
    const { status, headers, body } = await client.post(
      '/api/v1/chat',
      { message: GREETING },
      { accept: 'text/event-stream' },
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(body).toMatch(/event: completed\ndata: \{"content":"Hello/);
  });

  it('the final event equals the response of a plain chat', async () => {
    const { frames, end } = await chat(QUESTION);
    const whole = await client.post('/api/v1/chat', { message: QUESTION });
    const { content, tool_called, tool_name, research_summary } = whole.body;
    expect(end.data).toMatchObject({
      content,
      tool_called,
      tool_name,
      research_summary,
    });
    expect(receivedText(frames).at(-1)).toBe(content);
  });

  it('events report a call, the progress of its invocation, and its result', async () => {
    const { frames, end } = await chat(QUESTION);
    const [call] = end.data.tool_calls;
    const events = frames.map(({ event }) => event);
    expect(events[0]).toBe('tool_call');
    expect(frames[0].data).toEqual({ ...call, status: 'queued' });
    expect(events.indexOf('tool_result')).toBeGreaterThan(
      events.lastIndexOf('tool_progress'),
    );
    const { contents, ...result } = frames.find(
      ({ event }) => event === 'tool_result',
    )!.data;
    expect(result).toEqual(call);
    expect(contents).toEqual([
      { type: 'text', text: end.data.research_summary },
    ]);
    const report = frames
      .filter(({ data }) => data.type === 'output_text')
      .map(({ data }) => data.data.text)
      .join('');
    expect(report).toBe(end.data.research_summary);
  });

  it('a call that the model writes into its answer is not streamed as text', async () => {
    const api = await stand.addApi({ LITELLM_CHAT_MODEL: 'prompted' });
    const frames = await all(
      framesOf({ message: QUESTION }, { api: new Client(api.url) }),
    );
    const end = frames.at(-1)!;
    expect(end.data).toMatchObject({ tool_name: 'deep_research' });
    expect(receivedText(frames)).toEqual([end.data.content]);
    expect(receivedText(frames).join('')).not.toContain('tool_name');
    await stand.apis.pop()!.stop();
  });

  it('an invalid request is rejected with a status before the stream opens', async () => {
    const { status, body } = await client.post(
      '/api/v1/chat',
      { messages: [], stream: true },
      { accept: 'text/event-stream' },
    );
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { path: 'message', message: expect.any(String), code: 'required' },
    ]);
  });

  it.each(['cut', 'end', 'garbage'])(
    'part of the answer is streamed and the stream ends once, wherever the endpoint breaks off (%s)',
    async (kind) => {
      const { frames: whole } = await chat(GREETING);
      const [answer] = receivedText(whole);
      let broken = 0;
      for (let after_events = 0; ; after_events += 1) {
        // Every attempt of the turn meets the fault.
        await stand.fault({ kind, after_events, count: 0 });
        const { frames, end } = await chat(GREETING);
        await stand.reset();
        const [text = ''] = receivedText(frames);
        expect(answer.startsWith(text)).toBe(true);
        if (end.event === 'completed' && text === answer) break;
        broken += 1;
        if (text === '') expect(end.event).toBe('completed');
        else
          expect(end).toMatchObject({
            event: 'error',
            data: { code: expect.stringMatching(/^upstream_/) },
          });
      }
      expect(broken).toBeGreaterThan(3);
    },
  );

  it.each(['cut', 'end', 'garbage'])(
    'a stream that breaks off after research was paid ends with an event that carries it (%s)',
    async (kind) => {
      await stand.fault({
        kind,
        after_events: 6,
        count: 0,
        match: { model: 'gpt-4o', body: 'function_call_output' },
      });
      const { frames, end } = await chat(QUESTION);
      expect(receivedText(frames).join('')).not.toBe('');
      expect(end).toMatchObject({
        event: 'error',
        data: { code: expect.stringMatching(/^upstream_/) },
      });
      const { reply } = end.data;
      const [call] = reply.tool_calls;
      const record = await client.get(
        `/api/v1/tool-invocations/${call.invocation_id}`,
        { 'x-invocation-token': call.invocation_token },
      );
      const { output_text, citations } = record.body;
      expect(reply).toMatchObject({
        research_summary: output_text,
        content: output_text,
        citations,
        status: 'completed',
      });
      expect((await stand.stats()).creates).toBe(1);
    },
  );

  it('disconnecting stops the turn at the endpoint', async () => {
    await stand.fault({ kind: 'silence', after_events: 5 });
    const shuttingDown = new AbortController();
    await expect(async () => {
      const frames = framesOf(
        { message: GREETING },
        { signal: shuttingDown.signal },
      );
      for await (const { event } of frames)
        if (event === 'delta') shuttingDown.abort();
    }).rejects.toThrow();
    await until(
      'no request to be in flight upstream',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
  });

  it('a shutdown in the middle of an answer ends the stream with an error', async () => {
    const api = await stand.addApi();
    await stand.fault({ kind: 'silence', after_events: 5 });
    const frames = framesOf(
      { message: GREETING },
      { api: new Client(api.url) },
    );
    let left: Promise<unknown> | undefined;
    let last: ChatFrame | undefined;
    for await (const frame of frames) {
      if (frame.event === 'delta') left ??= stand.apis.pop()!.stop();
      last = frame;
    }
    expect(last).toMatchObject({
      event: 'error',
      data: { code: 'shutting_down' },
    });
    expect(await left).toBe(0);
  });
});
