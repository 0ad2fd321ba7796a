import { createParser } from 'eventsource-parser';

export interface Reply {
  status: number;
  headers: Headers;
  // Tests read fields that they expect; types for every field of every reply would add nothing.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface Frame {
  id?: string;
  event: string;
  data: {
    invocation_id: string;
    type: string;
    status: string;
    data: Record<string, unknown>;
  };
}

/** Plain HTTP requests, as any caller would send them. */
export class Client {
  constructor(
    readonly url: string,
    /** Sent with every request, e.g. an API key. */
    readonly headers: Record<string, string> = {},
  ) {}

  /** The same service, with an API key. */
  as(key: string): Client {
    return new Client(this.url, { authorization: `Bearer ${key}` });
  }

  async request(
    method: string,
    path: string,
    options: {
      body?: unknown;
      raw?: string;
      headers?: Record<string, string>;
      signal?: AbortSignal;
    } = {},
  ): Promise<Reply> {
    const { body, raw, headers = {}, signal } = options;
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const reply = await fetch(this.url + path, {
      method,
      signal,
      body: text,
      headers: {
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
    });
    const content = await reply.text();
    const isJson = /json/.test(reply.headers.get('content-type') ?? '');
    return {
      status: reply.status,
      headers: reply.headers,
      body: isJson ? JSON.parse(content) : content,
    };
  }

  get(path: string, headers?: Record<string, string>): Promise<Reply> {
    return this.request('GET', path, { headers });
  }

  post(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply> {
    return this.request('POST', path, { body, headers });
  }

  /** The record at this path once it has ended or waits for a person: looks again as clients do, since `/wait` answers in time. */
  async settled(path: string, headers?: Record<string, string>) {
    for (;;) {
      const reply = await this.get(`${path}/wait`, headers);
      if (!/^(queued|running)$/.test(reply.body.status)) return reply;
    }
  }

  /** Submits research and returns the reply. `fields`: further fields beside the arguments. */
  research(
    args: Record<string, unknown> = {},
    headers?: Record<string, string>,
    fields: Record<string, unknown> = {},
  ): Promise<Reply> {
    const question = {
      research_question: '짜장면의 역사를 자세히 알려줘',
      ...args,
    };
    return this.post(
      '/api/v1/tool-invocations',
      { tool_name: 'deep_research', arguments: question, ...fields },
      headers,
    );
  }

  /** Submits in the background and returns a handle on the invocation. */
  async submit(
    args: Record<string, unknown> = {},
    fields: Record<string, unknown> = {},
  ): Promise<Invocation> {
    const { status, body } = await this.research(
      { background: true, ...args },
      {},
      fields,
    );
    if (status !== 202)
      throw new Error(`not accepted: ${status} ${JSON.stringify(body)}`);
    return this.invocation(body.invocation_id, body.invocation_token);
  }

  /** A handle on an earlier invocation. */
  invocation(id: string, token: string): Invocation {
    return new Invocation(this, id, token);
  }
}

export class Invocation {
  constructor(
    private readonly client: Client,
    readonly id: string,
    /** Empty: its headers open it. */
    readonly token = '',
  ) {}

  get path(): string {
    return `/api/v1/tool-invocations/${this.id}`;
  }

  get headers(): Record<string, string> {
    return this.token ? { 'x-invocation-token': this.token } : {};
  }

  /** The same invocation through another process. */
  through(client: Client): Invocation {
    return new Invocation(client, this.id, this.token);
  }

  /** The whole reply to a read. */
  reply(signal?: AbortSignal): Promise<Reply> {
    const { path, headers } = this;
    return this.client.request('GET', path, { headers, signal });
  }

  async read() {
    return (await this.reply()).body;
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
  async *events(after?: string, signal?: AbortSignal): AsyncGenerator<Frame> {
    const reply = await fetch(`${this.client.url}${this.path}/events`, {
      headers: {
        ...this.client.headers,
        ...this.headers,
        ...(after !== undefined && { 'last-event-id': after }),
      },
      signal,
    });
    if (!reply.ok)
      throw new Error(`events: ${reply.status} ${await reply.text()}`);
    yield* framesOf(reply);
  }

  /** Follows to the last event, reconnecting with the last id as often as the connection is lost. */
  async *follow(clients: Client[] = [this.client]): AsyncGenerator<Frame> {
    let last: string | undefined;
    for (let attempt = 0; ; attempt += 1) {
      try {
        for await (const frame of this.through(
          clients[attempt % clients.length],
        ).events(last)) {
          yield frame;
          last = frame.id;
          if (frame.event === 'completed' || frame.event === 'error') return;
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
  }
}

/** The frames of an event stream as they come. */
export async function* framesOf(
  reply: Response,
  // oxlint-disable-next-line typescript/no-explicit-any
): AsyncGenerator<{ id?: string; event: string; data: any }> {
  const frames: { id?: string; event: string; data: unknown }[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      void frames.push({ id, event: event!, data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  // 204: there is no event after the requested id.
  for await (const chunk of reply.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* frames.splice(0);
  }
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Reads on from a stream that is open for certain: its first frame has come. */
export async function opened<T>(
  stream: AsyncGenerator<T>,
): Promise<{ all: Promise<T[]> }> {
  const { value, done } = await stream.next();
  return { all: done ? Promise.resolve([]) : rest(stream, value) };
}

async function rest<T>(stream: AsyncGenerator<T>, first: T): Promise<T[]> {
  return [first, ...(await all(stream))];
}

/** All text deltas, joined. */
export function joined(frames: Frame[]): string {
  return frames
    .filter(({ event }) => event === 'output_text')
    .map(({ data }) => data.data.text as string)
    .join('');
}
