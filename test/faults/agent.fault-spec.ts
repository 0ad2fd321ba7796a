import {
  type AgentEnd,
  agentEnd,
  startAgentStand,
  reaches,
  startVictim,
} from '../support/agent/agent-stand';
import type { Invocation } from '../support/client';
import type { Stand } from '../support/processes/stand';
import { TcpProxy } from '../support/processes/tcp-proxy';
import { acquitAll } from '../support/redis/expiry';
import { until } from '../support/until';

/** Two directions, which are read at once. */
const BROAD = 'What is the history of kimchi and of jajangmyeon';
/** One direction: one step after the other, but for its searches. */
const NARROW = 'What is the history of kimchi';
/** As many points as a step has at most: before and after its intent, and before and after its result. */
const STRIDE = 4;

interface Death {
  points: string[];
  end: AgentEnd;
}

interface Deaths {
  calm: AgentEnd;
  /** All points of the undisturbed run, in their order. */
  points: string[];
  deaths: Death[];
}

/** Runs of the agent whose workers are killed. */
class DeathRecorder {
  private submitted = 0;

  constructor(
    private readonly stand: Stand,
    private readonly question: string,
  ) {}

  /** An undisturbed run, and runs that are each killed at every 16th of its points, beginning with another. */
  static apart(): Promise<Deaths> {
    return DeathRecorder.enumerate(BROAD, 4 * STRIDE);
  }

  /** Each run is killed at every fourth point, beginning with another, so that no step is lost twice. */
  static close(): Promise<Deaths> {
    return DeathRecorder.enumerate(NARROW, STRIDE);
  }

  private static async enumerate(
    question: string,
    runs: number,
  ): Promise<Deaths> {
    const stand = await startAgentStand();
    try {
      const recorder = new DeathRecorder(stand, question);
      const { calm, points } = await recorder.undisturbed();
      return { calm, points, deaths: await recorder.kill(points, runs) };
    } finally {
      await stand.stop();
    }
  }

  private async undisturbed(): Promise<Omit<Deaths, 'deaths'>> {
    const run = await this.submit();
    const worker = startVictim(this.stand);
    const calm = await agentEnd(this.stand, ...run);
    await worker.stop('SIGKILL');
    const writes = worker.output.matchAll(/wrote inv_\S+ (\S+)/g);
    const fields = [...new Set([...writes].map(([, field]) => field))];
    const points = fields.flatMap((field) => [
      `before:${field}`,
      `after:${field}`,
    ]);
    return { calm, points };
  }

  private async kill(points: string[], count: number): Promise<Death[]> {
    const runs: Awaited<ReturnType<DeathRecorder['submit']>>[] = [];
    for (let n = 0; n < count; n += 1) runs.push(await this.submit());
    for (let n = 0; n < points.length; n += count) {
      const here = points.slice(n, n + count);
      const victim = startVictim(
        this.stand,
        Object.fromEntries(here.map((point, at) => [runs[at][0].id, point])),
      );
      await victim.end();
      expect(victim.output.match(/^held inv_/gm)).toHaveLength(here.length);
      await this.stand.expireLeases(...runs.map(([run]) => run));
      // Suspects would not be carried at once.
      await acquitAll(this.stand.redis);
    }
    await this.stand.addWorker();
    return Promise.all(
      runs.map(async (run, at) => ({
        points: points.filter((_, n) => n % count === at),
        end: await agentEnd(this.stand, ...run),
      })),
    );
  }

  private async submit() {
    this.submitted += 1;
    const marker = `case ${1_000 + this.submitted}`;
    const invocation = await this.stand.client().submit({
      research_question: `${this.question} (${marker})?`,
      depth: 'standard',
    });
    return [invocation, marker] as const;
  }
}

describe('workers that are killed', () => {
  let kills: Deaths[];

  // Each has an installation of its own.
  beforeAll(async () => {
    kills = await Promise.all([DeathRecorder.apart(), DeathRecorder.close()]);
  }, 600_000);

  describe.each([
    ['at any step of a run of the agent', 0],
    ['at every step of the same run, one after the other', 1],
  ])('%s', (_, n) => {
    it('leave the report as it is without a kill, to the byte', () => {
      const { calm, points, deaths } = kills[n];
      expect(calm.record).toMatchObject({
        status: 'completed',
        steps: { skipped: 0, repeated: 0, ambiguous: [] },
      });
      expect(calm.paid).toEqual(calm.journal.calls);
      expect(points.length).toBeGreaterThan(50);
      const { status, output_text, citations, sources, steps } = calm.record;
      for (const { points: at, end } of deaths)
        expect([at, end.record]).toEqual([
          at,
          expect.objectContaining({
            status,
            output_text,
            citations,
            sources,
            steps: expect.objectContaining({
              settled: steps.settled,
              skipped: 0,
            }),
          }),
        ]);
    });

    it('have every settled call paid once, but for the attempts that the record lists', () => {
      const { calm, deaths } = kills[n];
      for (const { points: at, end } of deaths) {
        const { journal, paid } = end;
        const { calls, attempts } = journal;
        expect([at, calls]).toEqual([at, calm.journal.calls]);
        for (const [role, count] of Object.entries(calls)) {
          expect([at, role, paid[role] >= count]).toEqual([at, role, true]);
          expect([at, role, paid[role] <= attempts[role]]).toEqual([
            at,
            role,
            true,
          ]);
        }
      }
    });

    it('list an attempt that was begun and has no result, and no other of a step that was alone', () => {
      const { deaths } = kills[n];
      const alone =
        /^(before|after):((scope|plan|outline|gaps:.*|write:.*)#?)$/;
      for (const { points: at, end } of deaths) {
        const { steps } = end.record;
        const { repeated } = steps;
        const ambiguous: string[] = steps.ambiguous;
        expect([at, ambiguous.toSorted()]).toEqual([
          at,
          end.journal.ambiguous.toSorted(),
        ]);
        expect([at, repeated]).toEqual([at, ambiguous.length]);
        for (const point of at) {
          const [, when, field] = alone.exec(point) ?? [];
          if (!field) continue;
          const attempt = `${field.replace('#', '')}#1`;
          const isLost = (when === 'after') === field.endsWith('#');
          expect([point, ambiguous.includes(attempt)]).toEqual([point, isLost]);
        }
      }
    });

    it('have the record show what the settled steps have used', () => {
      for (const { points: at, end } of kills[n].deaths)
        expect([at, end.record.usage]).toEqual([
          at,
          expect.objectContaining(end.journal.spent),
        ]);
    });
  });
});

describe('a run of the agent whose worker', () => {
  const HANGING = 'research_outline';
  let stand: Stand;
  /** Between the worker and its model. */
  let proxy: TcpProxy;
  let run: readonly [Invocation, string];

  /** Begins a run that waits for the reply to one call of its model. */
  const begin = async (leaseSeconds: number) => {
    stand = await startAgentStand({
      env: { RESEARCH_LEASE_SECONDS: String(leaseSeconds) },
    });
    proxy = await TcpProxy.to({
      port: Number(new URL(stand.sandbox.url).port),
    });
    const LITELLM_BASE_URL = `http://127.0.0.1:${proxy.port}`;
    await stand.addWorker({ LITELLM_BASE_URL });
    const match = { method: 'POST', body: HANGING };
    await stand.fault({ kind: 'hang', match });
    const marker = 'case 1';
    const research_question = `${BROAD} (${marker})?`;
    run = [await stand.client().submit({ research_question }), marker];
    await reaches(stand, HANGING);
  };
  const claims = async (): Promise<number> =>
    Number(
      await stand.redis.call('HGET', `sonde:{${run[0].id}}:record`, 'fence'),
    );
  afterEach(async () => {
    await stand.stop();
    await proxy.close();
  });

  it('is paused past its lease is taken over, and the effects of the first are aborted when it wakes', async () => {
    await begin(30);
    const [first] = stand.workers;
    await stand.addWorker();
    first.signal('SIGSTOP');
    // A paused worker still consumes the one wake-up that it waits for. This job absorbs it.
    await stand.client().submit();
    await stand.expireLeases(run[0]);
    await until('the second claim', async (saw) => saw(await claims()) > 1);
    const { record, journal, paid } = await agentEnd(stand, ...run);
    expect(record).toMatchObject({
      status: 'completed',
      steps: { skipped: 0, repeated: 1, ambiguous: ['outline#1'] },
    });
    expect(paid).toEqual({ ...journal.calls, [HANGING]: 2 });
    const open = proxy.connections;
    first.signal('SIGCONT');
    // The call still hangs: only its caller can have ended it.
    await until(
      'the call to be aborted',
      (saw) => saw(proxy.connections) < open,
    );
    expect((await agentEnd(stand, ...run)).paid).toEqual(paid);
  });

  it('is stopped by SIGTERM keeps the call under way, and is taken over long before its lease has passed', async () => {
    await begin(600);
    const [first] = stand.workers;
    await stand.addWorker();
    const stopped = first.stop();
    await stand.clearFaults();
    expect(await stopped).toBe(0);
    const { record, journal, paid } = await agentEnd(stand, ...run);
    expect(record).toMatchObject({
      status: 'completed',
      steps: { skipped: 0, ambiguous: [] },
    });
    expect(paid).toEqual(journal.calls);
    expect(await claims()).toBe(2);
  });

  it('loses Redis while a call is under way writes its result when Redis is back', async () => {
    await begin(600);
    await stand.redis.down();
    await stand.clearFaults();
    await stand.redis.up();
    await until(
      'the run to be readable',
      async (saw) => saw((await run[0].reply()).status) === 200,
    );
    const { record, journal, paid } = await agentEnd(stand, ...run);
    expect(record).toMatchObject({
      status: 'completed',
      steps: { skipped: 0, repeated: 0, ambiguous: [] },
    });
    expect(paid).toEqual(journal.calls);
    expect(await claims()).toBe(1);
  });
});
