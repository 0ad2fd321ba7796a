import fastify, { type FastifyInstance } from 'fastify';
import { sendPatiently } from './patient-json';

describe(sendPatiently.name, () => {
  let server: FastifyInstance;
  let url: string;
  let finish: (value: object) => void;
  let fail: (error: Error) => void;
  let begun: Promise<void>;

  beforeEach(async () => {
    server = fastify();
    begun = new Promise((resolve) => {
      server.get('/', async (_request, reply) => {
        const work = new Promise<object>((accept, refuse) => {
          finish = accept;
          fail = refuse;
        });
        reply.header('x-own', 'kept');
        const sending = sendPatiently(reply, work, 5);
        resolve();
        await sending;
        return reply;
      });
    });
    url = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => server.close());

  it('sends white space until there is a value', async () => {
    const response = await fetch(url);
    expect(response.headers.get('x-own')).toBe('kept');
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value).trim()).toBe('');
    finish({ a: 1 });
    let text = '';
    for (let step = await reader.read(); !step.done; step = await reader.read())
      text += new TextDecoder().decode(step.value);
    expect(JSON.parse(text)).toEqual({ a: 1 });
  });

  it('closes the connection if the value fails after the response has begun', async () => {
    const response = await fetch(url);
    const reading = response.text();
    fail(new Error('late'));
    await expect(reading).rejects.toThrow();
  });

  it('sends what is there at once as any reply', async () => {
    const reply = fetch(url);
    await begun;
    finish({ a: 1 });
    expect(await (await reply).json()).toEqual({ a: 1 });
  });
});
