import { Logger } from '@nestjs/common';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../../../sandbox/testing/sandbox-under-test';
import { TestRedis } from '../../../../test/support/redis/redis';
import {
  type ClaimedRun,
  QUESTION,
  ResearchRoom,
} from '../../../../test/support/research-room';
import { closingFrontOf } from '../../../../test/support/upstream/front';
import { ScriptedUpstream } from '../../../../test/support/upstream/scripted-upstream';
import { RunLost } from '../../../runs/worker/run-writer';
import {
  researchArguments,
  type ResearchArguments,
} from '../../arguments/research-arguments';
import type { PurchasedRun } from '../research-protocol';
import { Purchase } from './purchase';

const MODEL = 'o3-deep-research';
const CREATE = { method: 'POST', path: '/responses' };

describe(Purchase.name, () => {
  let redis: TestRedis;
  let sandbox: SandboxUnderTest;
  let room: ResearchRoom;
  let id: string;
  let claimed: ClaimedRun;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    redis = await TestRedis.start();
    sandbox = await sandboxUnderTest();
  });
  afterAll(async () => {
    await sandbox.close();
    await redis.stop();
  });
  beforeEach(async () => {
    room = await ResearchRoom.open(redis, sandbox, { LITELLM_MODEL: MODEL });
    id = await room.submit();
    claimed = await room.claim(id);
  });
  afterEach(() => room.close());

  const create = async (
    { claim, writer, run }: ClaimedRun = claimed,
    sources?: 'web' | 'private',
  ): Promise<PurchasedRun> => {
    const args = researchArguments.parse({
      research_question: QUESTION,
      data_sources: sources,
    }) as ResearchArguments;
    const { signal } = new AbortController();
    const purchased = await room.purchase.create(
      claim.id,
      args,
      writer,
      run,
      signal,
    );
    purchased.stream?.close();
    return purchased;
  };

  it('purchases one run, whose attempt is on record and in its metadata', async () => {
    const { upstreamId, attemptId, background } = await create();
    expect(upstreamId).toMatch(/^resp_/);
    expect(background).toBe(true);
    expect(await room.field(id, 'attempt')).toBe(attemptId);
    expect(await room.bodies()).toEqual([
      expect.objectContaining({
        model: MODEL,
        metadata: { invocation_id: id, attempt_id: attemptId },
      }),
    ]);
  });

  it.each([true, false])(
    'never repeats a create whose connection breaks before the first byte of the reply (begun: %s)',
    async (begun) => {
      await sandbox.fault({
        kind: 'reset',
        after_create: begun,
        match: CREATE,
      });
      await expect(create()).rejects.toMatchObject({ effect: 'unknown' });
      expect(await room.bodies()).toHaveLength(1);
      expect(await room.creates()).toBe(begun ? 1 : 0);
      expect(await room.field(id, 'attempt')).not.toBe('');
    },
  );

  it.each([
    ['a 500', { kind: 'status', status: 500 }],
    [
      'a stream that ends before its first event',
      { kind: 'end', after_events: 0 },
    ],
    [
      'a stream that breaks before its first event',
      { kind: 'cut', after_events: 0 },
    ],
  ])('never repeats a create that was answered with %s', async (_, fault) => {
    await sandbox.fault({ ...fault, match: CREATE });
    await expect(create()).rejects.toMatchObject({ effect: 'unknown' });
    expect(await room.bodies()).toHaveLength(1);
    expect(await room.field(id, 'attempt')).not.toBe('');
  });

  it.each([
    ['reply', (response: object) => response],
    ['stream', (response: object) => [{ type: 'response.created', response }]],
  ])('takes no %s to the create of another run', async (_, replyWith) => {
    const scripted = await ScriptedUpstream.start();
    await room.close();
    room = await ResearchRoom.open(redis, sandbox, {
      LITELLM_MODEL: MODEL,
      LITELLM_BASE_URL: scripted.url,
    });
    scripted.play(
      replyWith({
        id: 'resp_1',
        status: 'queued',
        metadata: { invocation_id: 'inv_another' },
      }),
    );
    id = await room.submit();
    await expect(create(await room.claim(id))).rejects.toMatchObject({
      effect: 'unknown',
    });
    await scripted.close();
  });

  it('sends no create for a claim that is lost', async () => {
    await room.lose(claimed);
    const successor = await room.claim(id);
    await expect(create()).rejects.toThrow(RunLost);
    expect(await room.bodies()).toEqual([]);
    await create(successor);
    expect(await room.creates()).toBe(1);
  });

  it('sends no create for a run that was stopped', async () => {
    claimed.run.stop('cancel');
    await expect(create()).rejects.toBe('cancel');
    expect(await room.bodies()).toEqual([]);
  });

  it('leaves a refused parameter out once, reports it, and leaves it out at once for the next run', async () => {
    await sandbox.config({ models: { [MODEL]: { refuses: ['background'] } } });
    expect(await create()).toMatchObject({ background: false });
    const next = await room.claim(await room.submit());
    expect(await create(next)).toMatchObject({ background: false });
    const sent = (await room.bodies()).map(({ background }) => background);
    expect(sent).toEqual([true, undefined, undefined]);
    expect(await room.creates()).toBe(2);
    expect(await room.progress(id)).toEqual([
      'The model endpoint has no background mode for this model: a restart of the worker would lose the run.',
    ]);
  });

  it('never leaves the web search out of a run whose caller asks for the web', async () => {
    await sandbox.fault({
      kind: 'refuse_tools',
      status: 400,
      count: 0,
      match: CREATE,
    });
    await expect(create(claimed, 'web')).rejects.toMatchObject({
      effect: 'none',
    });
    for (const { tools } of await room.bodies())
      expect(tools).toEqual([{ type: 'web_search_preview' }]);
    expect(await room.creates()).toBe(0);
  });

  it('waits after a 429 and purchases one run, with no attempt on record in between', async () => {
    await sandbox.fault({
      kind: 'status',
      status: 429,
      retry_after_ms: 600,
      match: CREATE,
    });
    await create();
    expect(await room.creates()).toBe(1);
    expect(await room.bodies()).toHaveLength(2);
    const [wait] = await room.progress(id);
    expect(wait).toMatch(/^The model endpoint is limiting requests/);
  });

  it.each([
    ['of no time', 0],
    ['that is past', -60_000],
  ])(
    'never asks again sooner than its own backoff, at a retry-after %s',
    async (_, ms) => {
      const start = jest.spyOn(room.cooldown, 'start');
      await sandbox.fault({
        kind: 'status',
        status: 429,
        retry_after_ms: ms,
        match: CREATE,
        count: 2,
      });
      await create();
      const waits = start.mock.calls.map(([, wait]) => wait);
      expect(waits).toEqual([expect.any(Number), expect.any(Number)]);
      expect(waits[0]).toBeGreaterThanOrEqual(750);
      expect(waits[1]).toBeGreaterThanOrEqual(1_500);
      start.mockRestore();
    },
  );

  it.each([
    ['/responses', MODEL],
    ['/chat/completions', 'gpt-4o-search-preview'],
  ])(
    'sends no create over a used connection, which its server may be closing (%s)',
    async (path, model) => {
      const front = await closingFrontOf(sandbox.url);
      await room.close();
      room = await ResearchRoom.open(redis, sandbox, {
        LITELLM_MODEL: model,
        LITELLM_BASE_URL: front.url,
      });
      await sandbox.fault({
        kind: 'status',
        status: 429,
        match: { method: 'POST', path },
        count: 1,
      });
      id = await room.submit();
      await create(await room.claim(id));
      expect(await room.creates()).toBe(1);
      await front.close();
    },
  );

  it('fails without a create if the cooldown outlasts the time limit of the run', async () => {
    await room.cooldown.start(MODEL, 120_000);
    await expect(create()).rejects.toMatchObject({
      code: 'upstream_rate_limited',
    });
    expect(await room.bodies()).toEqual([]);
  });

  it('fails at once if the key is refused', async () => {
    await sandbox.fault({ kind: 'status', status: 401, match: CREATE });
    await expect(create()).rejects.toMatchObject({
      code: 'upstream_unauthorized',
      effect: 'none',
    });
    expect(await room.bodies()).toHaveLength(1);
    expect(await room.field(id, 'attempt')).toBe('');
  });
});
