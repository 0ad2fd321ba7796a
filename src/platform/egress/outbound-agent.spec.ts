import dns from 'node:dns';
import { Receiver } from '../../../test/support/receiver';
import { isNotPublic, outboundAgent } from './outbound-agent';
import { lookupPublic } from './public-lookup';

describe(lookupPublic.name, () => {
  afterEach(() => jest.restoreAllMocks());

  it('returns only the public addresses of a name that has both kinds', async () => {
    const answer = ['127.0.0.1', '8.8.8.8', '8.8.4.4'].map((address) => ({
      address,
      family: 4,
    }));
    const fake = ((_: string, __: object, done: (...a: unknown[]) => void) =>
      process.nextTick(done, null, answer)) as unknown as typeof dns.lookup;
    jest.spyOn(dns, 'lookup').mockImplementation(fake);
    const found = (all: boolean): Promise<unknown[]> =>
      new Promise((resolve) =>
        lookupPublic('hooks.example.com', { all }, (...args) => resolve(args)),
      );
    expect(await found(false)).toEqual([null, '8.8.8.8', 4]);
    expect(await found(true)).toEqual([
      null,
      [
        { address: '8.8.8.8', family: 4 },
        { address: '8.8.4.4', family: 4 },
      ],
    ]);
  });
});

describe(outboundAgent.name, () => {
  let receiver: Receiver;

  beforeAll(async () => void (receiver = await Receiver.start()));
  afterAll(() => receiver.stop());

  const get = async (allowPrivate: boolean): Promise<number> => {
    const agent = outboundAgent({ allowPrivate, connectTimeoutMs: 10_000 });
    const origin = `http://localhost:${receiver.port}`;
    try {
      const reply = await agent.request({ origin, path: '/', method: 'GET' });
      await reply.body.dump();
      return reply.statusCode;
    } finally {
      await agent.destroy();
    }
  };

  it('never connects to a name that the real resolver finds on the loopback', async () => {
    receiver.connections = 0;
    const failure = await get(false).catch((error: unknown) => error);
    expect(isNotPublic(failure)).toBe(true);
    expect(receiver.connections).toBe(0);
  });

  it('connects to it where the operator allows private addresses', async () => {
    expect(await get(true)).toBe(204);
  });
});
