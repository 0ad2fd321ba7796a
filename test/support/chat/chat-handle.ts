import { createParser } from 'eventsource-parser';
import type { Client, Reply } from '../client';
import { expectChatEvents } from '../event-schemas';

const PATH = '/api/v1/chat';
const ENDS = ['completed', 'error'];

/** The modes of a chat. */
export const CHAT_MODES = ['plain', 'streamed', 'background'] as const;
export type ChatMode = (typeof CHAT_MODES)[number];

export interface ChatFrame {
  id: string;
  event: string;
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

/** A handle on a recorded chat. */
export class ChatHandle {
  constructor(
    private readonly client: Client,
    readonly id: string,
    readonly token: string,
  ) {}

  /** The same chat through another process, or opened with another token. */
  through(client: Client, token = this.token): ChatHandle {
    return new ChatHandle(client, this.id, token);
  }

  async read() {
    return (await this.get('')).body;
  }

  /** Resolves once the chat has ended or is suspended. */
  async wait() {
    return (await this.client.settled(`${PATH}/${this.id}`, this.headers)).body;
  }

  /** All events of the chat, up to its end. */
  async events(): Promise<ChatFrame[]> {
    return framesIn((await this.get('/events')).body as string);
  }

  /** Returns the whole reply. */
  decide(list: 'approvals' | 'answers', given: unknown): Promise<Reply> {
    return this.post(`/${list}`, { [list]: given });
  }

  approve(call_id: string, approve = true, reason?: string): Promise<Reply> {
    return this.decide('approvals', [{ call_id, approve, reason }]);
  }

  answer(call_id: string, answer: string): Promise<Reply> {
    return this.decide('answers', [{ call_id, answer }]);
  }

  cancel(): Promise<Reply> {
    return this.post('/cancel');
  }

  remove(): Promise<Reply> {
    const { headers } = this;
    return this.client.request('DELETE', `${PATH}/${this.id}`, { headers });
  }

  get(path: string): Promise<Reply> {
    return this.client.get(`${PATH}/${this.id}${path}`, this.headers);
  }

  post(path: string, body?: unknown): Promise<Reply> {
    return this.client.post(`${PATH}/${this.id}${path}`, body, this.headers);
  }

  private get headers(): Record<string, string> {
    return { 'x-invocation-token': this.token };
  }
}

/** Starts a chat, and returns its state once it has ended or is suspended. */
export async function beginChat(client: Client, mode: ChatMode, body: object) {
  const { reply, token } = await startChat(client, mode, body);
  return { reply, chat: new ChatHandle(client, reply.chat_id, token) };
}

async function startChat(client: Client, mode: ChatMode, body: object) {
  const reply = await client.post(PATH, {
    ...body,
    ...(mode === 'streamed' && { stream: true }),
    ...(mode === 'background' && { background: true }),
  });
  expect(reply.status).toBe(mode === 'background' ? 202 : 200);
  if (mode === 'background') {
    const { chat_id, invocation_token: token } = reply.body;
    const chat = new ChatHandle(client, chat_id, token);
    return { reply: await chat.wait(), token };
  }
  const last =
    mode === 'streamed'
      ? finalData(framesIn(reply.body as string))
      : reply.body;
  return { reply: last, token: last.invocation_token };
}

/** The data of the last event, which must be the only final one. */
export function finalData(frames: ChatFrame[]) {
  expectChatEvents(frames);
  const ends = frames.filter(({ event }) => ENDS.includes(event));
  expect(ends).toEqual([frames.at(-1)]);
  expect(frames.map(({ id }) => Number(id))).toEqual(
    frames.map((_, at) => at + 1),
  );
  return frames.at(-1)!.data;
}

export function framesIn(text: string): ChatFrame[] {
  const frames: ChatFrame[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      void frames.push({ id: id!, event: event!, data: JSON.parse(data) }),
  });
  parser.feed(text);
  return frames;
}
