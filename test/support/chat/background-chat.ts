import type { MessageDelta } from '../../../src/platform/message/delta';
import { all, type Client, framesOf, Invocation, type Reply } from '../client';

export interface ChatFrame {
  id?: string;
  event: string;
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

const LAST = ['completed', 'error'];

/** A handle on a background chat. */
export class BackgroundChat {
  constructor(
    private readonly client: Client,
    readonly id: string,
    readonly token: string,
  ) {}

  /** Submits a chat in the background. */
  static async begin(client: Client, body: object): Promise<BackgroundChat> {
    const reply = await client.post('/api/v1/chat', {
      background: true,
      ...body,
    });
    if (reply.status !== 202)
      throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    const { chat_id, invocation_token } = reply.body;
    return new BackgroundChat(client, chat_id, invocation_token);
  }

  get path(): string {
    return `/api/v1/chat/${this.id}`;
  }

  get headers(): Record<string, string> {
    return { 'x-invocation-token': this.token };
  }

  /** The same chat through another process. */
  through(client: Client): BackgroundChat {
    return new BackgroundChat(client, this.id, this.token);
  }

  /** An invocation that one of its calls started, opened with the token of the chat. */
  invocation(id: string): Invocation {
    return this.client.invocation(id, this.token);
  }

  async read() {
    return (await this.client.get(this.path, this.headers)).body;
  }

  async wait() {
    return (await this.client.settled(this.path, this.headers)).body;
  }

  cancel(): Promise<Reply> {
    return this.client.post(`${this.path}/cancel`, undefined, this.headers);
  }

  remove(): Promise<Reply> {
    return this.client.request('DELETE', this.path, { headers: this.headers });
  }

  /** Frames until the stream ends. `after`: the id to resume after. */
  async *events(after?: string): AsyncGenerator<ChatFrame> {
    const reply = await fetch(`${this.client.url}${this.path}/events`, {
      headers: {
        ...this.client.headers,
        ...this.headers,
        ...(after !== undefined && { 'last-event-id': after }),
      },
    });
    if (!reply.ok)
      throw new Error(`events: ${reply.status} ${await reply.text()}`);
    yield* framesOf(reply);
  }

  /** Reads until an event of that type. */
  async reaches(event: string): Promise<void> {
    for await (const frame of this.events()) if (frame.event === event) return;
    throw new Error(`ended without ${event}`);
  }
}

/** The text of each turn that has any. */
export function turnTexts(frames: readonly ChatFrame[]): string[] {
  const parts = new Map<number, string>();
  for (const { event, data } of frames)
    if (event === 'delta')
      for (const { index, text = '' } of (data as MessageDelta).contents ?? [])
        parts.set(index, (parts.get(index) ?? '') + text);
  return [...parts.values()];
}

/**
 * ⏎ Every log of an ended chat has consecutive ids, one last event, each call reported once and before its result, and the
 * answer as the last text.
 */
export function expectCompleteChatLog(
  frames: readonly ChatFrame[],
  // oxlint-disable-next-line typescript/no-explicit-any
  chat: any,
): void {
  expect(frames.map(({ id }) => Number(id))).toEqual(
    frames.map((_, at) => at + 1),
  );
  const last = frames.at(-1)!;
  expect(frames.filter(({ event }) => LAST.includes(event))).toEqual([last]);
  const emitted = (type: string): string[] =>
    frames
      .filter(({ event }) => event === type)
      .map(({ data }) => data.call_id as string);
  const [calls, results] = [emitted('tool_call'), emitted('tool_result')];
  expect(new Set(calls).size).toBe(calls.length);
  expect(new Set(results).size).toBe(results.length);
  for (const id of results)
    expect(placeOf(frames, 'tool_call', id)).toBeLessThan(
      placeOf(frames, 'tool_result', id),
    );
  if (chat.status !== 'completed') {
    expect(last).toMatchObject({
      event: 'error',
      data: { code: chat.error.code },
    });
    return;
  }
  expect(last).toMatchObject({ event: 'completed', data: chat });
  const calledIds = (chat.tool_calls as { call_id: string }[]).map(
    ({ call_id }) => call_id,
  );
  expect(calls.toSorted()).toEqual(calledIds.toSorted());
  expect(results.toSorted()).toEqual(calledIds.toSorted());
  expect(turnTexts(frames).at(-1)).toBe(chat.content);
}

function placeOf(
  frames: readonly ChatFrame[],
  type: string,
  callId: string,
): number {
  return frames.findIndex(
    ({ event, data }) => event === type && data.call_id === callId,
  );
}

/** The progress reported of each call equals the log of its invocation, without the text and the end. */
async function expectProgress(
  chat: BackgroundChat,
  frames: readonly ChatFrame[],
): Promise<void> {
  for (const { event, data } of frames) {
    if (event !== 'tool_result' || data.invocation_id === null) continue;
    const log = await all(chat.invocation(data.invocation_id).events());
    const emitted = frames.filter(
      (frame) =>
        frame.event === 'tool_progress' && frame.data.call_id === data.call_id,
    );
    expect(
      emitted.map(({ data: { type, status, data: of } }) => [type, status, of]),
    ).toEqual(
      log
        .filter((frame) => ![...LAST, 'output_text'].includes(frame.event))
        .map(({ data: { type, status, data: of } }) => [type, status, of]),
    );
  }
}

/** Waits for the end, checks the whole log against the chat, and returns both. */
export async function waitForChatEnd(chat: BackgroundChat) {
  const body = await chat.wait();
  const frames = await all(chat.events());
  expectCompleteChatLog(frames, body);
  await expectProgress(chat, frames);
  return { body, frames };
}
