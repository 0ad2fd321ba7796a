import { once } from 'node:events';
import { connect } from 'node:net';
import { Controller, Get, Module, Param, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { AppError } from '../errors';
import { closeHttpApp } from './close-http-app';
import { createHttpApp } from './http-app';
import { HttpModule } from './http.module';
import { PATIENCE, patiently } from './patient-json';

class QueueAway extends Error {}

/** The work of each request, by its name. */
const works = new Map<string, (work: PromiseWithResolvers<object>) => void>();

@Controller()
class Routes {
  @Get(':name')
  work(
    @Param('name') name: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    const work = Promise.withResolvers<object>();
    reply.code(202).header('x-own', 'kept');
    works.get(name)!(work);
    return patiently(reply, work.promise, ({ code }) => ({ failed: code }));
  }
}

@Module({ imports: [HttpModule], controllers: [Routes] })
class TestModule {}

describe(patiently.name, () => {
  const { everyMs } = PATIENCE;
  let app: NestFastifyApplication;
  let url: string;

  beforeAll(async () => {
    app = await createHttpApp(TestModule, [
      [(error) => error instanceof QueueAway, 'queue_unavailable'],
    ]);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterEach(() => {
    PATIENCE.everyMs = everyMs;
  });
  afterAll(() => closeHttpApp(app));

  /** A request, and its work once it has begun. */
  const ask = async (name: string) => {
    const begun = new Promise<PromiseWithResolvers<object>>((resolve) =>
      works.set(name, resolve),
    );
    const reply = fetch(`${url}/${name}`);
    return { reply, work: await begun };
  };
  /** A response of which white space has come. */
  const askLong = async (name: string) => {
    PATIENCE.everyMs = 5;
    const { reply, work } = await ask(name);
    const response = await reply;
    const reader = response.body!.getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    const rest = async (): Promise<string> => {
      let text = first;
      for (let step = await reader.read(); !step.done;)
        [text, step] = [
          text + new TextDecoder().decode(step.value),
          await reader.read(),
        ];
      return text;
    };
    return { response, work, first, rest };
  };

  it('sends what is there in time as any reply', async () => {
    const { reply, work } = await ask('soon');
    work.resolve({ a: 1 });
    const response = await reply;
    expect([response.status, response.headers.get('x-own')]).toEqual([
      202,
      'kept',
    ]);
    expect(response.headers.get('content-length')).toBe('7');
    expect(await response.json()).toEqual({ a: 1 });
  });

  it('sends a failure in time as the problem that it is', async () => {
    const { reply, work } = await ask('fails');
    work.reject(new AppError('invocation_not_found'));
    const response = await reply;
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: 'invocation_not_found',
    });
  });

  it('sends white space until there is a value, with the headers that are set', async () => {
    const { response, work, first, rest } = await askLong('late');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-own')).toBe('kept');
    expect(response.headers.get('content-type')).toMatch('application/json');
    expect(response.headers.get('x-request-id')).toMatch(/./);
    expect(first.trim()).toBe('');
    work.resolve({ a: 1 });
    expect(JSON.parse(await rest())).toEqual({ a: 1 });
  });

  it.each([
    ['an error of the service', new AppError('chat_timeout'), 'chat_timeout'],
    [
      'an error of another room',
      new QueueAway('10.0.0.7'),
      'queue_unavailable',
    ],
    ['an unknown error', new TypeError('password=hunter2'), 'internal_error'],
  ])(
    'completes the document of %s after white space',
    async (_, error, code) => {
      const { work, rest } = await askLong(code);
      work.reject(error);
      expect(JSON.parse(await rest())).toEqual({ failed: code });
    },
  );

  it('lets a client leave in the midst of white space', async () => {
    PATIENCE.everyMs = 5;
    const begun = new Promise<PromiseWithResolvers<object>>((resolve) =>
      works.set('leaves', resolve),
    );
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /leaves HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    const work = await begun;
    await once(socket, 'data');
    socket.destroy();
    await once(socket, 'close');
    work.reject(new AppError('chat_timeout'));
    const { reply, work: next } = await ask('next');
    next.resolve({ a: 2 });
    expect(await (await reply).json()).toEqual({ a: 2 });
  });
});
