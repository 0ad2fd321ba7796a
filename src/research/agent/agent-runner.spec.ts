import { AccountStore } from '../../tenants/spend/account.store';
import { Budgets } from '../../tenants/spend/budgets';
import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { UpstreamError } from '../../llm/upstream/upstream-error';
import { WorkerSignals } from '../../runs/queue/worker-signals';
import type { Claim, Finish } from '../../runs/store/run-claim';
import { ActiveRuns } from '../../runs/worker/active-runs';
import type { ActiveRun } from '../../runs/worker/active-run';
import { type Outcome, Rescheduled } from '../../runs/worker/run-outcome';
import { AgentRunner } from './agent-runner';
import {
  type AgentEnd,
  type AgentFunction,
  AgentVersions,
} from './agent-versions';
import { JournalStore } from './journal/journal.store';

const ARGS = {
  research_question: 'Why?',
  depth: 'deep',
  budget: { max_pages: 3 },
};
const END: AgentEnd = {
  status: 'completed',
  citations: [
    { url: 'https://a.example/', title: 'A', start_index: 0, end_index: 4 },
  ],
  sources: [{ url: 'https://a.example/', title: 'A' }],
  limitsReached: ['max_pages'],
  model: 'writer-1',
};

/** Finds, reads and writes a sentence. */
const calm: AgentFunction = async (_, journal) => {
  await journal.step('search:0', 1, 'search', async () => ({
    value: 1,
    spent: { searches: 1 },
    events: [{ type: 'progress', data: { kind: 'web_search', detail: 'why' } }],
  }));
  await journal.step('write:0', 1, 'model', async () => ({
    value: 1,
    text: 'So. 가',
    spent: { input_tokens: 10, output_tokens: 5 },
  }));
  return END;
};

describe(AgentRunner.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let active: ActiveRuns;
  let accounts: AccountStore;
  let count = 0;
  const held: ActiveRun[] = [];

  beforeAll(async () => {
    redis = await TestRedis.start();
    room = new Invocations(
      redis,
      loadConfig({ REDIS_URL: redis.url, RESEARCH_AGENT_CONCURRENCY: '1' }),
    );
    const signals = new WorkerSignals(room.connections);
    accounts = new AccountStore(room.connections, room.config);
    active = new ActiveRuns(room.store, signals, room.config);
  });
  afterAll(async () => {
    for (const run of held) active.free(run);
    await room.close();
    await redis.stop();
  });

  const runnerOf = (research: AgentFunction, version = '1') =>
    new AgentRunner(
      room.store,
      new JournalStore(room.connections),
      new AgentVersions(new Map([[version, research]]), version),
      accounts,
      new Budgets(accounts),
      room.config,
    );
  const fresh = async (): Promise<string> => {
    const id = `inv_${(count += 1)}`;
    const args = JSON.stringify(ARGS);
    await room.store.create(id, {
      tool: 'it',
      args,
      engine: 'agent',
      schema: '2',
    });
    return id;
  };
  const claimOf = async (
    id: string,
  ): Promise<{ claim: Claim; run: ActiveRun }> => {
    const outcome = await room.store.claim(id, 'worker', 60_000);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    const run = active.hold(outcome.claim);
    held.push(run);
    return { claim: outcome.claim, run };
  };
  /** As a worker does: until its hold on the run ends. */
  const carryOut = async (
    id: string,
    research: AgentFunction,
    version?: string,
  ): Promise<Outcome> => {
    const { claim, run } = await claimOf(id);
    const { fence } = claim;
    const outcome = await runnerOf(research, version).run(claim, run);
    if (typeof outcome === 'object' && 'status' in outcome)
      await room.store.finish(id, fence, outcome);
    else await room.store.release(id, fence);
    return outcome;
  };
  const read = (id: string) => room.reader.read(id);

  it('ends a run with its text, sources, usage, steps and limits on record', async () => {
    const id = await fresh();
    await carryOut(id, calm);
    expect(await read(id)).toMatchObject({
      status: 'completed',
      engine: 'agent',
      model: 'writer-1',
      text: 'So. 가',
      citations: END.citations,
      sources: END.sources,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        total_tokens: 15,
        tool_calls: 1,
      },
      progress: { searches: 1, pages_opened: 0, last_step: 'why' },
      steps: { settled: 2, repeated: 0, skipped: 0, ambiguous: [] },
      limitsReached: ['max_pages'],
    });
  });

  it('gives the function the wishes of the request', async () => {
    const id = await fresh();
    let seen: unknown;
    await carryOut(id, async (task, ...more) => {
      seen = task;
      return calm(task, ...more);
    });
    const { deadline_ms } = await room.reader.readFields(id);
    expect(seen).toEqual({
      args: { ...ARGS, engine: 'agent' },
      depth: 'deep',
      verify: 'check',
      budget: { max_pages: 3 },
      deadlineMs: Number(deadline_ms),
    });
  });

  it('pins a run to the version that began it, and hands back one that it does not know', async () => {
    const id = await fresh();
    const broken: AgentFunction = async () => Promise.reject(new Error('died'));
    await expect(carryOut(id, broken, 'old')).rejects.toThrow('died');
    const { fence } = await room.reader.readFields(id);
    await room.store.release(id, fence!);
    expect(await carryOut(id, calm, 'new')).toBeInstanceOf(Rescheduled);
    expect(await carryOut(id, calm, 'old')).toMatchObject({
      status: 'completed',
    });
  });

  it.each<[string, Partial<Finish>]>([
    ['cancel', { status: 'cancelled' }],
    [
      'deadline',
      {
        status: 'incomplete',
        error: expect.objectContaining({ code: 'research_timeout' }),
      },
    ],
  ])(
    'ends the effects under way at %s, with what is written, and lists them',
    async (reason, end) => {
      const id = await fresh();
      const { claim, run } = await claimOf(id);
      let aborted = false;
      const outcome = await runnerOf(async (task, journal, signal) => {
        await calm(task, journal, signal);
        await journal.step('page', 1, 'page', (effects) => {
          effects.addEventListener('abort', () => (aborted = true));
          run.stop(reason as 'cancel' | 'deadline');
          return new Promise<never>(() => undefined);
        });
        return END;
      }).run(claim, run);
      expect(outcome).toMatchObject(end);
      expect(aborted).toBe(true);
      const { usage, steps } = (outcome as Finish).fields!;
      expect(usage).toContain('15');
      // It was under way, so it may have been paid for.
      expect(steps).toContain('"ambiguous":["page#1"]');
    },
  );

  it('settles a step that is almost done before it hands the run back at a shutdown', async () => {
    const id = await fresh();
    const { claim, run } = await claimOf(id);
    const { fence } = claim;
    const slow: AgentFunction = async (task, journal, signal) => {
      await journal.step('a', 1, 'model', async (effects) => {
        run.stop('shutdown');
        expect(effects.aborted).toBe(false);
        return { value: 1 };
      });
      return calm(task, journal, signal);
    };
    expect(await runnerOf(slow).run(claim, run)).toEqual(new Rescheduled(0));
    await room.store.release(id, fence);
    const again: AgentFunction = async (task, journal, signal) => {
      await journal.step('a', 1, 'model', () =>
        Promise.reject(new Error('twice')),
      );
      return calm(task, journal, signal);
    };
    expect(await carryOut(id, again)).toMatchObject({ status: 'completed' });
  });

  it('ends loudly when the journal is not that of its function, even if the function goes on', async () => {
    const id = await fresh();
    const step =
      (input: number): AgentFunction =>
      async (_, journal) => {
        await journal
          .step('a', input, 'local', async () => ({ value: 1 }))
          .catch(() => undefined);
        return { ...END, status: 'incomplete' };
      };
    const { claim, run } = await claimOf(id);
    await runnerOf(step(1)).run(claim, run);
    await room.store.release(id, claim.fence);
    expect(await carryOut(id, step(2))).toMatchObject({
      status: 'failed',
      error: { code: 'journal_mismatch' },
    });
  });

  it('is lost without a word when another worker has the run', async () => {
    const id = await fresh();
    const { claim, run } = await claimOf(id);
    const outcome = runnerOf(async (task, journal, signal) => {
      await room.store.release(id, claim.fence);
      await claimOf(id);
      return calm(task, journal, signal);
    }).run(claim, run);
    expect(await outcome).toBe('lost');
  });

  it('ends with the code of the step that a run cannot do without', async () => {
    const id = await fresh();
    await carryOut(id, async (_, journal) => {
      await journal.step('scope', 1, 'model', () =>
        Promise.reject(new UpstreamError('content_policy', 'none')),
      );
      return END;
    });
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'content_policy' },
    });
  });

  it('carries so many runs as the configuration allows, and has the others wait', async () => {
    const [one, two] = [
      await claimOf(await fresh()),
      await claimOf(await fresh()),
    ];
    const release = Promise.withResolvers<void>();
    const runner = runnerOf(async (...all) => {
      await release.promise;
      return calm(...all);
    });
    const first = runner.run(one.claim, one.run);
    expect(runner.places.room).toBe(0);
    const second = await runner.run(two.claim, two.run);
    expect(second).toBeInstanceOf(Rescheduled);
    expect((second as Rescheduled).dueMs).toBeGreaterThan(0);
    release.resolve();
    expect(await first).toMatchObject({ status: 'completed' });
    expect(runner.places.room).toBe(1);
  });

  it('gives up a run that crashes its workers, with what is written, and lists attempts under way', async () => {
    const id = await fresh();
    /** A worker that disappears during its attempts. */
    const crash = async (...keys: string[]): Promise<void> => {
      const { claim, run } = await claimOf(id);
      const begun = Promise.withResolvers<void>();
      let count = 0;
      const hang = () => {
        if ((count += 1) === keys.length) begun.resolve();
        return new Promise<never>(() => undefined);
      };
      const outcome = runnerOf(async (task, journal, signal) => {
        await calm(task, journal, signal);
        await Promise.all(
          keys.map((key) => journal.step(key, 1, 'page', hang)),
        );
        return END;
      }).run(claim, run);
      await begun.promise;
      await room.store.release(id, claim.fence);
      run.stop('lost');
      expect(await outcome).toBe('lost');
    };
    await crash('page:0');
    await crash('page:0', 'page:1');
    const { claim } = await claimOf(id);
    expect(claim.fields.steps).not.toContain('page');
    const end = await runnerOf(calm).abandon(claim);
    expect(end).toMatchObject({
      status: 'incomplete',
      error: { code: 'worker_crashed_repeatedly' },
    });
    await room.store.finish(id, claim.fence, end);
    const { steps } = (await read(id))!;
    expect(steps).toMatchObject({ settled: 2, repeated: 1, skipped: 0 });
    expect(steps!.ambiguous.sort()).toEqual([
      'page:0#1',
      'page:0#2',
      'page:1#1',
    ]);
    const { claim: other } = await claimOf(await fresh());
    expect(await runnerOf(calm).abandon(other)).toMatchObject({
      status: 'failed',
    });
  });
});
