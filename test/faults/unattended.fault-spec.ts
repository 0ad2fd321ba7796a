import { joined, opened } from '../support/client';
import { Stand } from '../support/processes/stand';
import { until } from '../support/until';

const HALF_WAY = { kind: 'pause', fraction: 0.5 };
const ENDLESS = { kind: 'stay', status: 'in_progress' };

describe('a run without a subscriber', () => {
  let stand: Stand;

  beforeAll(async () => {
    // So small that every worker exceeds it and releases every stream that it may release.
    stand = await Stand.start({ env: { RESEARCH_MEMORY_MB: '64' } });
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const polled = () =>
    until(
      'the run to be polled twice',
      async (saw) => saw(await stand.stats()).retrieves > 1,
      120_000,
    );

  it('is polled instead of streamed, and resumes its stream where it stopped once a subscriber appears', async () => {
    await stand.fault(HALF_WAY);
    const invocation = await stand.client().submit();
    await polled();
    await until(
      'the run to report a search',
      async (saw) => saw(await invocation.read()).progress?.searches > 0,
    );
    expect((await stand.stats()).resumes).toBe(0);
    const followed = await opened(invocation.events());
    await until(
      'its stream to be resumed',
      async (saw) => saw(await stand.stats()).resumes === 1,
    );
    await stand.clearFaults();
    const frames = await followed.all;
    const record = await invocation.read();
    expect((await stand.stats()).resumes).toBe(1);
    expect(record.status).toBe('completed');
    expect(frames.map(({ id }) => Number(id))).toEqual(
      frames.map((_, i) => i + 1),
    );
    const deltas = frames.filter(({ event }) => event === 'output_text');
    expect(deltas.length).toBeGreaterThan(1);
    expect(joined(frames)).toBe(record.output_text);
    const steps = frames.filter(({ event }) => event === 'progress');
    expect(new Set(steps.map(({ data }) => JSON.stringify(data))).size).toBe(
      steps.length,
    );
  });

  it('is suspended by a worker over its memory limit, and still ends at once when cancelled', async () => {
    await stand.fault(ENDLESS);
    const invocation = await stand.client().submit();
    const record = `sonde:{${invocation.id}}:record`;
    const worker = () => stand.redis.call('HGET', record, 'worker');
    const suspendedRun = () =>
      stand.redis.call('ZCARD', '{sonde}:research:delayed') as Promise<number>;
    await until('the run to be suspended', async (saw) => {
      const [owner, suspended] = saw([await worker(), await suspendedRun()]);
      return owner === '' && suspended === 1;
    });
    expect((await invocation.read()).status).toBe('running');
    expect((await invocation.cancel()).status).toBe(202);
    expect((await invocation.wait()).status).toBe('cancelled');
    expect(await stand.stats()).toMatchObject({ creates: 1, in_flight: 0 });
  });
});
