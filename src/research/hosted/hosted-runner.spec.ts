import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
  webSearch,
} from '../../../sandbox/testing/sandbox-under-test';
import { priceFile } from '../../../test/support/price-table';
import { TestRedis } from '../../../test/support/redis/redis';
import { ResearchRoom } from '../../../test/support/research-room';
import { until } from '../../../test/support/until';
import { ended, Rescheduled } from '../../runs/worker/run-outcome';
import { HostedRunner } from './hosted-runner';

const MODEL = 'o3-deep-research';
const forever = new AbortController().signal;

describe(HostedRunner.name, () => {
  let redis: TestRedis;
  let sandbox: SandboxUnderTest;
  let room: ResearchRoom;
  let id: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    redis = await TestRedis.start();
    sandbox = await sandboxUnderTest();
  });
  afterAll(async () => {
    await sandbox.close();
    await redis.stop();
  });
  afterEach(() => room.close());

  const open = async (env: Record<string, string> = {}) => {
    room = await ResearchRoom.open(redis, sandbox, {
      LITELLM_MODEL: MODEL,
      ...env,
    });
    id = await room.submit();
  };
  const begin = async () => {
    const claimed = await room.claim(id);
    const outcome = room.runner.run(claimed.claim, claimed.run);
    return { ...claimed, outcome };
  };
  /** On its way at the endpoint, where it stays until it is cancelled. */
  const underWay = async () => {
    await sandbox.fault({ kind: 'stay', status: 'in_progress' });
    const begun = await begin();
    await until('the upstream id to be recorded', () =>
      room.field(id, 'upstream_id'),
    );
    return begun;
  };
  /** A worker was lost between the record of its attempt and the reply. */
  const attempted = async (): Promise<string> => {
    const attempt = randomUUID();
    const claimed = await room.claim(id);
    await claimed.writer.recordAttempt(attempt);
    await room.lose(claimed);
    return attempt;
  };
  const respond = (attempt: string) =>
    sandbox.client.responses.create({
      model: MODEL,
      input: 'The history of kimchi',
      tools: webSearch,
      background: true,
      metadata: { invocation_id: id, attempt_id: attempt },
    });
  const cancels = async () =>
    (await sandbox.get<{ cancels: number }>('/sandbox/stats')).cancels;

  it('purchases a run and carries it to its report', async () => {
    await open();
    expect(await room.carryOut(id)).toMatchObject({ status: 'completed' });
    const record = (await room.reader.read(id))!;
    expect(await room.reader.readText(id)).not.toBe('');
    expect(record.citations!.length).toBeGreaterThan(0);
    expect(await room.creates()).toBe(1);
  });

  it('records what a run cost at the configured prices, and nothing without one', async () => {
    await open();
    await room.carryOut(id);
    expect((await room.reader.read(id))!.cost).toBeNull();
    await room.close();
    const price = { inputPerMillion: 10, outputPerMillion: 40 };
    const { path, remove } = priceFile({ [`${MODEL}*`]: price });
    await open({ RELAY_PRICES_CONFIG: path });
    remove();
    await room.carryOut(id);
    const { usage, cost } = (await room.reader.read(id))!;
    const { input_tokens, output_tokens } = usage!;
    expect(input_tokens).toBeGreaterThan(0);
    expect(cost).toEqual({
      currency: 'USD',
      estimated: null,
      reserved: null,
      spent: (input_tokens * 10 + output_tokens * 40) / 1_000_000,
      source: 'prices',
    });
  });

  it('continues a purchased run of a lost worker without a second create', async () => {
    await open();
    const lost = await room.claim(id);
    const response = await respond('first');
    await lost.writer.adopt(response.id, forever);
    await room.lose(lost);
    expect(await room.carryOut(id)).toMatchObject({ status: 'completed' });
    expect(await room.field(id, 'upstream_id')).toBe(response.id);
    expect(await room.creates()).toBe(1);
  });

  it('ends a run that was handed over as lost, and buys nothing, where the endpoint stores no response', async () => {
    await open();
    const { claim, run, outcome } = await underWay();
    run.stop('shutdown');
    expect(await outcome).toBeInstanceOf(Rescheduled);
    await room.store.release(id, claim.fence);
    await sandbox.client.responses.delete(
      (await room.field(id, 'upstream_id'))!,
    );
    expect(await room.carryOut(id)).toMatchObject({
      status: 'failed',
      error: { code: 'upstream_response_gone' },
    });
    expect(await room.creates()).toBe(1);
  });

  it('never repeats an attempt of unknown outcome under the policy `fail`', async () => {
    await open({ RELAY_AMBIGUOUS_SUBMIT: 'fail' });
    await attempted();
    expect(await room.carryOut(id)).toMatchObject({
      error: { code: 'ambiguous_submit' },
    });
    expect(await room.bodies()).toEqual([]);
  });

  it('repeats an attempt of unknown outcome under the policy `resubmit`', async () => {
    await open({ RELAY_AMBIGUOUS_SUBMIT: 'resubmit' });
    await attempted();
    expect(await room.carryOut(id)).toMatchObject({ status: 'completed' });
    expect(await room.bodies()).toHaveLength(1);
  });

  it('follows the run that a webhook reports for an attempt of unknown outcome', async () => {
    await open({ OPENAI_WEBHOOK_SECRET: 'whsec_bmV3IHNlY3JldA==' });
    const attempt = await attempted();
    const { run, outcome } = await begin();
    const response = await respond(attempt);
    await room.purchases.adoptLost(id, attempt, response.id);
    run.nudge();
    expect(await outcome).toMatchObject({ status: 'completed' });
    expect(await room.creates()).toBe(1);
  });

  it('cancels the upstream run when its own is cancelled', async () => {
    await open();
    const { run, outcome } = await underWay();
    run.stop('cancel');
    expect(await outcome).toMatchObject({ status: 'cancelled' });
    expect(await cancels()).toBe(1);
  });

  it('ends a run at its time limit, at the upstream as well', async () => {
    await open();
    const { run, outcome } = await underWay();
    run.stop('deadline');
    expect(await outcome).toMatchObject({
      error: { code: 'research_timeout' },
    });
    expect(await cancels()).toBe(1);
  });

  it.each(['lost', 'shutdown'] as const)(
    'leaves the upstream run to another worker when it stops with `%s`',
    async (reason) => {
      await open();
      const { run, outcome } = await underWay();
      run.stop(reason);
      expect(await outcome).toEqual(
        reason === 'lost' ? 'lost' : expect.any(Rescheduled),
      );
      expect(await cancels()).toBe(0);
    },
  );

  it('cancels the upstream run of a run that has crashed its workers', async () => {
    await open();
    await sandbox.fault({ kind: 'stay', status: 'in_progress' });
    const lost = await room.claim(id);
    await lost.writer.adopt((await respond('first')).id, forever);
    await room.lose(lost);
    const { claim } = await room.claim(id);
    expect(await room.runner.abandon(claim)).toEqual(
      ended('failed', 'worker_crashed_repeatedly'),
    );
    expect(await cancels()).toBe(1);
  });

  describe('with a reply that arrives after the claim was lost', () => {
    beforeEach(async () => {
      await open();
      await sandbox.fault({
        kind: 'hang',
        after_create: true,
        match: { method: 'POST', path: '/responses' },
      });
    });

    it('records the purchase for the worker that waits for it', async () => {
      const stale = await begin();
      await until(
        'the purchase to reach the endpoint',
        async (saw) => saw(await room.creates()) === 1,
      );
      await room.lose(stale);
      await room.claim(id);
      await sandbox.clearFaults();
      expect(await stale.outcome).toBe('lost');
      expect(await room.field(id, 'upstream_id')).toMatch(/^resp_/);
      expect(await cancels()).toBe(0);
    });

    it('cancels the purchase if the run has ended meanwhile', async () => {
      await sandbox.config({ research_ms: 60_000 });
      const stale = await begin();
      await until(
        'the purchase to reach the endpoint',
        async (saw) => saw(await room.creates()) === 1,
      );
      await room.lose(stale);
      const { claim } = await room.claim(id);
      await room.store.finish(id, claim.fence, ended('cancelled', 'cancelled'));
      await sandbox.clearFaults();
      expect(await stale.outcome).toBe('lost');
      expect(await cancels()).toBe(1);
    });
  });
});
