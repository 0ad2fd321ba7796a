import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { LearntMirror } from './learnt-mirror';
import { LearntModels } from './learnt-models';

describe(LearntMirror.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const { redis: target } = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(target!, 'fail-fast');
    await connections.onModuleInit();
  });
  beforeEach(() => redis.call('FLUSHALL'));
  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  /** A process with its own memory. */
  const process = () => {
    const learnt = new LearntModels();
    return { learnt, mirror: new LearntMirror(learnt, connections) };
  };

  it('shows in one process what the others have learnt, each fact with its latest value, until its time is over', async () => {
    const [one, two, doctor] = [process(), process(), process()];
    one.learnt.learn('my-llama', 'over Chat Completions');
    one.learnt.learn('my-llama', 'output tokens', { value: 2_000, ms: 60_000 });
    one.learnt.learn('gone', 'images are refused', { ms: -1 });
    await one.mirror.write();
    two.learnt.learn('my-llama', 'output tokens', { value: 4_000 });
    two.learnt.learn('qwen3', 'responses are not stored');
    await two.mirror.write();
    const shown = (await doctor.mirror.summary()).split('; ').sort();
    expect(shown).toEqual([
      expect.stringMatching(/^my-llama: .*over Chat Completions/),
      'qwen3: responses are not stored',
    ]);
    expect(shown[0]).toContain('output tokens 4000');
    expect(shown[0]).not.toContain('2000');
    expect(await redis.call('PTTL', 'sonde:learnt')).toBeGreaterThan(0);
  });

  it.each([-1, 1])(
    'keeps and ends facts by the clock of Redis, where that of a process is a day off (%i)',
    async (days) => {
      const { mirror, learnt } = process();
      const off = Date.now() + days * 24 * 60 * 60_000;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(off);
      try {
        learnt.learn('my-llama', 'over Chat Completions');
        await mirror.write();
        expect(await mirror.summary()).toBe('my-llama: over Chat Completions');
      } finally {
        clock.mockRestore();
      }
      const [, until] = await connections.commands.zrange(
        'sonde:learnt',
        '0',
        '-1',
        'WITHSCORES',
      );
      const left = Number(until) - connections.clock.now();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(10 * 60_000);
    },
  );

  it('writes only after something was learnt', async () => {
    const { mirror, learnt } = process();
    await mirror.write();
    expect(await redis.call('EXISTS', 'sonde:learnt')).toBe(0);
    learnt.learn('m', 'fact');
    await mirror.write();
    await redis.call('FLUSHALL');
    await mirror.write();
    expect(await redis.call('EXISTS', 'sonde:learnt')).toBe(0);
  });

  it('is bounded, whatever names callers invent', async () => {
    const { mirror, learnt } = process();
    for (let round = 0; round < 7; round += 1) {
      for (let at = 0; at < 120; at += 1)
        learnt.learn(`${round}-${at}-${'x'.repeat(500)}`, 'fact');
      await mirror.write();
    }
    expect(await redis.call('ZCARD', 'sonde:learnt')).toBe(500);
    const summary = await mirror.summary();
    expect(summary).toMatch(/; 492 more models$/);
    expect(summary.length).toBeLessThan(2_000);
  });
});
