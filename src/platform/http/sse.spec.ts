import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { type EventStreamOptions, sendEventStream, type SseFrame } from './sse';

type Frames = AsyncGenerator<SseFrame>;

describe(sendEventStream.name, () => {
  let app: FastifyInstance;
  let outcome: Promise<string>;

  afterEach(() => app.close());

  async function serve(
    frames: () => Frames,
    options: EventStreamOptions = {},
  ): Promise<string> {
    let settle: (outcome: string) => void;
    outcome = new Promise((resolve) => (settle = resolve));
    app = fastify({ forceCloseConnections: true });
    app.get('/events', (request, reply) => {
      reply.header('x-request-id', request.id);
      sendEventStream(request, reply, frames(), options).then(
        () => settle('ended'),
        (error: Error) => settle(error.message),
      );
    });
    return app.listen({ port: 0, host: '127.0.0.1' });
  }

  function open(url: string): Socket {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /events HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  }

  /** Yields once, then waits until it is stopped; `stopped` resolves when its cleanup has run. */
  function endless(): { frames: () => Frames; stopped: Promise<void> } {
    let resolveRead: () => void;
    const stopped = new Promise<void>((resolve) => (resolveRead = resolve));
    return {
      stopped,
      async *frames() {
        try {
          for (let n = 0; ; n++) {
            yield { id: String(n), event: 'progress', data: { n } };
            await new Promise(setImmediate);
          }
        } finally {
          resolveRead();
        }
      },
    };
  }

  it('sends every frame with its id, type and one line of JSON', async () => {
    const url = await serve(async function* () {
      yield { id: '1-0', event: 'status', data: { text: 'two\nlines' } };
      yield { event: 'gap', json: '{"earliest":"3"}' };
    });
    const response = await fetch(`${url}/events`);
    expect(await response.text()).toBe(
      'id: 1-0\nevent: status\ndata: {"text":"two\\nlines"}\n\n' +
        'event: gap\ndata: {"earliest":"3"}\n\n',
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': 'req-1',
    });
    expect(await outcome).toBe('ended');
  });

  it('sends the headers before the first frame', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const url = await serve(async function* () {
      await held;
      yield { event: 'late' };
    });
    const response = await fetch(`${url}/events`);
    expect(response.status).toBe(200);
    release();
    expect(await response.text()).toContain('event: late');
  });

  it('stops the iterator when the client disconnects', async () => {
    const { frames, stopped } = endless();
    const socket = open(await serve(frames));
    await once(socket, 'data');
    socket.destroy();
    await stopped;
    expect(await outcome).toBe('ended');
  });

  it('waits for a slow client, and stops when it disconnects', async () => {
    let sent = 0;
    let stop: () => void;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const socket = open(
      await serve(async function* () {
        try {
          for (;;) {
            sent += 1;
            yield { event: 'output_text', data: 'x'.repeat(1_000_000) };
          }
        } finally {
          stop();
        }
      }),
    );
    await once(socket, 'readable');
    socket.destroy();
    await stopped;
    // Without backpressure this loop would never yield to the event loop and fill the memory.
    expect(sent).toBeLessThan(100);
  });

  it('ends with a comment when the signal aborts while it waits for a frame', async () => {
    const shutdown = new AbortController();
    let waiting: () => void;
    const waits = new Promise<void>((resolve) => (waiting = resolve));
    const url = await serve(
      // eslint-disable-next-line require-yield
      async function* () {
        waiting();
        await new Promise(() => undefined);
      },
      { signal: shutdown.signal },
    );
    const response = await fetch(`${url}/events`);
    await waits;
    shutdown.abort();
    expect(await response.text()).toBe(': the server is shutting down\n\n');
    expect(await outcome).toBe('ended');
  });

  it('closes the connection without an end when the iterator fails, so that the client reconnects', async () => {
    const url = await serve(async function* () {
      yield { event: 'status' };
      throw new Error('log is away');
    });
    const response = await fetch(`${url}/events`);
    await expect(response.text()).rejects.toThrow();
    expect(await outcome).toBe('log is away');
  });

  it.each([{ event: 'a\nb' }, { event: 'a', id: '1\r2' }])(
    'refuses a line break in %j',
    async (frame) => {
      const url = await serve(async function* () {
        yield frame;
      });
      await (await fetch(`${url}/events`)).text().catch(() => undefined);
      expect(await outcome).toContain('line break');
    },
  );

  it('answers HEAD with the headers alone', async () => {
    const { frames } = endless();
    const url = await serve(frames);
    const response = await fetch(`${url}/events`, { method: 'HEAD' });
    expect(response.headers.get('content-type')).toContain('event-stream');
    expect(await outcome).toBe('ended');
  });

  it('sends a comment after 15 s of silence', async () => {
    jest.useFakeTimers({
      doNotFake: [
        'nextTick',
        'setImmediate',
        'queueMicrotask',
        'setTimeout',
        'clearTimeout',
      ],
    });
    try {
      const shutdown = new AbortController();
      const url = await serve(
        async function* () {
          yield { event: 'status' };
          await new Promise(() => undefined);
        },
        { signal: shutdown.signal },
      );
      const response = await fetch(`${url}/events`);
      const reader = response.body!.getReader();
      await reader.read();
      jest.advanceTimersByTime(15_000);
      const { value } = await reader.read();
      expect(Buffer.from(value!).toString()).toBe(': keep-alive\n\n');
      shutdown.abort();
      expect(await outcome).toBe('ended');
    } finally {
      jest.useRealTimers();
    }
  });
});
