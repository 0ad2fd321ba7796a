import { Logger } from '@nestjs/common';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../sandbox/testing/sandbox-under-test';
import { priceFile } from '../../../test/support/price-table';
import { TestRedis } from '../../../test/support/redis/redis';
import { ResearchRoom } from '../../../test/support/research-room';
import { until } from '../../../test/support/until';
import type { Cost } from '../../runs/record/run';
import { UnreportedCost } from './unreported-cost';

const MODEL = 'o3-deep-research';
const CREATE = { method: 'POST', path: '/responses' };

describe(UnreportedCost.name, () => {
  const prices = priceFile({
    '*': { inputPerMillion: 10, outputPerMillion: 40 },
  });
  /** At these prices, of 250,000 tokens that a research model reads and 30,000 that it writes. */
  const TYPICAL = 3.7;
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
    prices.remove();
  });
  afterEach(() => room.close());

  const open = async (env: Record<string, string> = {}) => {
    room = await ResearchRoom.open(redis, sandbox, {
      LITELLM_MODEL: MODEL,
      RELAY_PRICES_CONFIG: prices.path,
      ...env,
    });
    id = await room.submit();
  };
  const costOf = (outcome: object): Cost | undefined => {
    const { fields } = outcome as { fields?: { cost?: string } };
    return fields?.cost ? (JSON.parse(fields.cost) as Cost) : undefined;
  };
  /** Cancelled once that can be seen of it. */
  const cancelled = async (seen: () => Promise<unknown>) => {
    const { claim, run } = await room.claim(id);
    const running = room.runner.run(claim, run);
    await until('the run to have come so far', seen);
    run.stop('cancel');
    const outcome = await running;
    expect(outcome).toMatchObject({ status: 'cancelled' });
    return costOf(outcome as object);
  };
  const bought = () => room.field(id, 'upstream_id');
  const read = async () => (await room.reader.readText(id)).length > 200;

  it('is nothing of a run that was stopped before its purchase', async () => {
    await open();
    const { claim, run } = await room.claim(id);
    run.stop('cancel');
    expect(costOf((await room.runner.run(claim, run)) as object)).toBe(
      undefined,
    );
  });

  it('is a part of a whole run where nothing was seen after its purchase', async () => {
    await open();
    await sandbox.fault({ kind: 'stay', status: 'queued' });
    expect(await cancelled(bought)).toEqual({
      currency: 'USD',
      estimated: null,
      reserved: null,
      spent: TYPICAL / 10,
      source: 'prices',
    });
  });

  it('is that of a whole run once there is text', async () => {
    await open();
    await sandbox.fault({ kind: 'slow', ms: 3_000 });
    expect(await cancelled(read)).toMatchObject({ spent: TYPICAL });
  });

  it('is what the runs of the model cost, once one has completed', async () => {
    await open();
    const whole = costOf((await room.carryOut(id)) as object)!;
    id = await room.submit();
    await sandbox.fault({ kind: 'slow', ms: 3_000 });
    const { spent } = (await cancelled(read))!;
    expect(spent).toBeGreaterThanOrEqual(whole.spent);
    expect(spent).toBeLessThan(TYPICAL);
  });

  it('is no less than the text that was seen costs, at prices that no model has', async () => {
    const { path, remove } = priceFile({
      '*': { inputPerMillion: 0, outputPerMillion: 100_000 },
    });
    await open({ LITELLM_MODEL: 'gpt-4o', RELAY_PRICES_CONFIG: path });
    remove();
    await sandbox.fault({ kind: 'slow', ms: 3_000 });
    const { spent } = (await cancelled(read))!;
    // Ten cents for each of more than fifty tokens.
    expect(spent).toBeGreaterThan(5);
  });

  it('is charged for a run whose response is lost after its text was read', async () => {
    await open();
    await sandbox.fault({ kind: 'cut', after_events: 60, match: CREATE });
    await sandbox.fault({
      kind: 'gone',
      match: { method: 'GET', path: '/responses/' },
      count: 0,
    });
    const outcome = (await room.carryOut(id)) as object;
    expect(outcome).toMatchObject({
      error: { code: 'upstream_response_gone' },
    });
    expect(costOf(outcome)!.spent).toBeGreaterThanOrEqual(TYPICAL / 10);
  });

  it('is charged for a run that is given up after it has crashed its workers', async () => {
    await open();
    const lost = await room.claim(id);
    await sandbox.fault({ kind: 'stay', status: 'queued' });
    const { upstreamId } = await room.purchase.create(
      id,
      { research_question: 'kimchi' } as never,
      lost.writer,
      lost.run,
      new AbortController().signal,
    );
    await lost.writer.adopt(upstreamId, new AbortController().signal);
    await room.lose(lost);
    const { claim } = await room.claim(id);
    const end = await room.runner.abandon(claim);
    expect(costOf(end)).toMatchObject({ spent: TYPICAL / 10 });
  });

  it('is unknown of a model without a price', async () => {
    await open({ RELAY_PRICES_CONFIG: '' });
    await sandbox.fault({ kind: 'stay', status: 'queued' });
    expect(await cancelled(bought)).toBeUndefined();
  });
});
