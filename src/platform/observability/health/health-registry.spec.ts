import { HealthFault, HealthRegistry } from './health-registry';

const fine = async (): Promise<void> => undefined;

describe(HealthRegistry.name, () => {
  afterEach(() => jest.useRealTimers());

  it('is down by a critical failure, degraded by another', async () => {
    const fails = async (): Promise<void> => {
      throw new HealthFault('no worker is connected');
    };
    const degraded = new HealthRegistry();
    degraded.register('redis', fine, { critical: true });
    degraded.register('queue', fails, { critical: false });
    expect(await degraded.ready()).toEqual({
      status: 'degraded',
      checks: {
        redis: { status: 'ok', critical: true },
        queue: {
          status: 'failed',
          critical: false,
          detail: 'no worker is connected',
        },
      },
    });
    const down = new HealthRegistry();
    down.register('redis', fails, { critical: true });
    expect(await down.ready()).toMatchObject({ status: 'down' });
  });

  it('never shows the message of a foreign error', async () => {
    const registry = new HealthRegistry();
    registry.register(
      'redis',
      async () => {
        throw new Error('connect ECONNREFUSED 10.0.0.7:6379');
      },
      { critical: true },
    );
    expect(JSON.stringify(await registry.ready())).not.toContain('10.0.0.7');
  });

  it('fails a check that takes over 2 s', async () => {
    jest.useFakeTimers();
    const registry = new HealthRegistry();
    registry.register('redis', () => new Promise(() => undefined), {
      critical: true,
    });
    const ready = registry.ready();
    await jest.advanceTimersByTimeAsync(2_000);
    expect((await ready).checks.redis).toMatchObject({
      status: 'failed',
      detail: 'took too long',
    });
  });

  it('runs the checks at most once a second', async () => {
    jest.useFakeTimers();
    let looks = 0;
    const registry = new HealthRegistry();
    registry.register('redis', async () => void (looks += 1), {
      critical: true,
    });
    await Promise.all([registry.ready(), registry.ready()]);
    await jest.advanceTimersByTimeAsync(999);
    await registry.ready();
    expect(looks).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    await registry.ready();
    expect(looks).toBe(2);
  });
});
