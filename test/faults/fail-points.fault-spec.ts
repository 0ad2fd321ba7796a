import { preload } from '../support/processes/preload';
import { Service } from '../support/processes/service';
import { Stand } from '../support/processes/stand';
import { upstreamText } from '../support/completed-run';
import { until } from '../support/until';
import { waitForEnd } from '../support/event-log';

/** The steps of a run, see the preload script. Each is made once, but for `APPEND`. */
const CREATE = 'POST /v1/responses';
const APPEND = 'invocation append';
const ONCE = [
  'GET /v1/models',
  'admission enter',
  'invocation claim',
  'cooldown left',
  CREATE,
  'invocation adopt',
  'sondeCountRun',
  'invocation finish',
  'admission leave',
  'zrem',
  'moveToFinished',
];

interface Death {
  point: string;
  status: string;
  code?: string;
  creates: number;
  wholeText: boolean;
}

/** A stand whose first worker only continues what another leaves behind. */
class DeathRecorder {
  readonly deaths: Death[] = [];

  constructor(
    private readonly stand: Stand,
    private readonly when: 'before' | 'after',
  ) {}

  static async enumerate(when: 'before' | 'after'): Promise<Death[]> {
    const stand = await Stand.start({ researchMs: 30 });
    try {
      const deathRecorder = new DeathRecorder(stand, when);
      for (const step of ONCE)
        if (!(await deathRecorder.dieAt(1, step)))
          throw new Error(`no such step: ${step}`);
      for (let n = 1; await deathRecorder.dieAt(n, APPEND); n += 1);
      return deathRecorder.deaths;
    } finally {
      await stand.stop();
    }
  }

  /** Kills a worker at that point, and has another continue. False: the run had no such point. */
  private async dieAt(n: number, step: string): Promise<boolean> {
    const { stand, when } = this;
    const point = `${when}:${n}:${step}`;
    const [rescuer] = stand.workers;
    rescuer.signal('SIGSTOP');
    const invocation = await stand.client().submit();
    const victim = Service.spawn('worker', {
      ...stand.env,
      ...preload('fail-point', { FAIL_POINT: point }),
    });
    stand.workers.push(victim);
    const survived = await victim.waitForOutput(/^did moveToFinished$/m).then(
      () => true,
      () => false,
    );
    stand.workers.pop();
    await victim.stop('SIGKILL');
    await stand.expireLeases();
    rescuer.signal('SIGCONT');
    if (survived) return false;
    expect(victim.output).toContain(`died ${point}\n`);
    const record = await waitForEnd(invocation);
    const { creates_by_invocation } = await stand.stats();
    this.deaths.push({
      point,
      status: record.status,
      code: record.error?.code,
      creates: creates_by_invocation[invocation.id] ?? 0,
      wholeText:
        record.upstream_response_id !== null &&
        record.output_text ===
          (await upstreamText(stand, record.upstream_response_id)),
    });
    // Leftovers of this one would be the next worker's first claim.
    await until('nothing to be left', () => this.isIdle());
    return true;
  }

  private async isIdle(): Promise<boolean> {
    const { redis } = this.stand;
    return (
      (await redis.call('LLEN', '{sonde}:research:active')) === 0 &&
      (await redis.call('ZCARD', 'sonde:unfinished')) === 0
    );
  }
}

describe('a worker that is killed at any step of a run', () => {
  let before: Death[];
  let after: Death[];

  beforeAll(async () => {
    [before, after] = await Promise.all([
      DeathRecorder.enumerate('before'),
      DeathRecorder.enumerate('after'),
    ]);
  }, 600_000);

  it('never causes a second purchase, and skips the first only if its request may have been sent', () => {
    for (const { point, creates } of [...before, ...after])
      expect([point, creates]).toEqual([
        point,
        // Killed before the request left, no other worker repeats it.
        [`before:1:${CREATE}`, `after:1:${APPEND}`].includes(point) ? 0 : 1,
      ]);
  });

  it('leaves the purchase ambiguous only around its request', () => {
    const ambiguous = (deaths: Death[]): string[] =>
      deaths
        .filter(({ code }) => code === 'ambiguous_submit')
        .map(({ point }) => point);
    // The first append records the intent to purchase, adopt records the purchased run.
    expect(ambiguous(before)).toEqual([
      `before:1:${CREATE}`,
      'before:1:invocation adopt',
    ]);
    expect(ambiguous(after)).toEqual([
      `after:1:${CREATE}`,
      `after:1:${APPEND}`,
    ]);
  });

  it('leaves every other run unaffected: it completes with the whole text', () => {
    const others = [...before, ...after].filter(
      ({ code }) => code !== 'ambiguous_submit',
    );
    for (const death of others)
      expect(death).toMatchObject({
        point: death.point,
        status: 'completed',
        wholeText: true,
      });
  });

  it('is killed at several of its later appends as well', () => {
    for (const deaths of [before, after])
      expect(deaths.length).toBeGreaterThanOrEqual(ONCE.length + 2);
  });
});
