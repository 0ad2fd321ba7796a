import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { until } from '../../../test/support/until';
import { AppError } from '../../platform/errors';
import { createLog } from '../../platform/observability/log';
import { PinoLoggerService } from '../../platform/observability/pino-logger.service';
import type { Tool, ToolAnnotations, ToolContext } from '../../tools/tool';
import { defineTool } from '../../tools/tool-definition';
import { ToolError } from '../../tools/tool-error';
import { ToolRegistry } from '../../tools/tool-registry';
import { ActiveRun } from '../../runs/worker/active-run';
import { Rescheduled } from '../../runs/worker/run-outcome';
import { TimerWheel } from '../../runs/worker/timer-wheel';
import { ToolExecutor } from './tool-executor';

const SECRET = 'sk-secret at 10.0.0.7';
const READ_ONLY: ToolAnnotations = { readOnlyHint: true };
const circular: Record<string, unknown> = {};
circular.self = circular;

const never = () => new Promise<never>(() => undefined);
const failureOf = (code: string, message: string) => [
  { type: 'value', value: { code, message } },
];

describe(ToolExecutor.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let registry: ToolRegistry;
  let engine: ToolExecutor;
  let calls: number;
  let log: string;
  const held: ActiveRun[] = [];

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    calls = 0;
    log = '';
    const write = (line: string): void => void (log += line);
    Logger.overrideLogger(new PinoLoggerService(createLog('info', { write })));
    room = new Invocations(redis);
    registry = new ToolRegistry(room.config);
    engine = new ToolExecutor(room.store, registry, room.config);
  });
  afterEach(async () => {
    Logger.overrideLogger(false);
    held.splice(0).forEach((run) => run.free());
    await room.close();
  });

  /** A tool of the name `it`, and one accepted invocation of it. */
  const given = async (
    run: NonNullable<Tool['run']>,
    annotations: ToolAnnotations = {},
    returns?: z.ZodType,
  ) => {
    const parameters = z.object({});
    const options = { name: 'it', description: 'Does it.', annotations };
    registry.register(
      defineTool(
        { ...options, parameters, returns },
        {
          run: async (args, context) => {
            calls += 1;
            return run(args, context);
          },
        },
      ),
    );
    await room.unfinished.reserve('inv_1');
    const about = { caller: 'alice', request_id: 'req-1' };
    const fields = { tool: 'it', mode: 'background', args: '{"a":1}' };
    await room.store.create('inv_1', { ...fields, ...about });
  };
  const claim = async (timeLimitMs = 60_000) => {
    const outcome = await room.store.claim('inv_1', 'worker', timeLimitMs);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    const run = new ActiveRun(outcome.claim, new TimerWheel());
    held.push(run);
    return { claim: outcome.claim, run };
  };
  /** Its worker is gone, and nobody knows where. */
  const loseWorker = () =>
    redis.call('HSET', 'sonde:{inv_1}:record', 'lease_ms', '1');
  /** Carries it to its end as a worker does. */
  const carryOn = async (begun = claim()) => {
    const { claim: mine, run } = await begun;
    const outcome = await engine.run(mine, run);
    if (outcome === 'lost' || !('status' in outcome)) return outcome;
    await room.store.finish('inv_1', mine.fence, outcome);
    return (await room.reader.read('inv_1'))!;
  };
  const events = async () => room.reader.readLog('inv_1', 0, 10_000);
  const failure = (code: string, message: string, as = code.toUpperCase()) => ({
    status: 'failed',
    error: expect.objectContaining({ code, message }),
    contents: failureOf(as, message),
  });

  it('keeps what a tool returns, with its text', async () => {
    await given(() => Promise.resolve({ sky: 'blue' }));
    expect(await carryOn()).toMatchObject({
      status: 'completed',
      text: '{"sky":"blue"}',
      contents: [{ type: 'value', value: { sky: 'blue' } }],
    });
  });

  it('says that it is done where a tool says nothing', async () => {
    await given(() => Promise.resolve(undefined));
    expect(await carryOn()).toMatchObject({ text: 'Done.' });
  });

  it('gives a tool its arguments, and for whom they are', async () => {
    const seen: unknown[] = [];
    await given((args, { tenant, requestId, invocationId }) => {
      seen.push(args, tenant, requestId, invocationId);
      return Promise.resolve();
    });
    await carryOn();
    expect(seen).toEqual([{ a: 1 }, 'alice', 'req-1', 'inv_1']);
  });

  it.each<[string, () => unknown]>([
    ['an error', () => Promise.reject(new Error(SECRET))],
    ['no error at all', () => Promise.reject(SECRET as unknown as Error)],
    [
      'an error with a cause',
      () => Promise.reject(new Error('a', { cause: SECRET })),
    ],
  ])('tells nobody the words of %s that a tool throws', async (_, run) => {
    await given(() => Promise.resolve(run()));
    expect(await carryOn()).toMatchObject(
      failure('tool_failed', 'The tool failed.'),
    );
    expect(log).toContain('it failed unexpectedly');
    expect(log + (await redis.dump())).not.toMatch(/secret|10\.0\.0\.7/);
  });

  it('tells what a tool says itself, cut short, and keeps it out of the log', async () => {
    const words = `No such city. ${'x'.repeat(10_000)}`;
    await given(() => Promise.reject(new ToolError('NOT_FOUND', words)));
    const message = words.slice(0, 2_000);
    expect(await carryOn()).toMatchObject(
      failure('tool_failed', message, 'NOT_FOUND'),
    );
    expect(log).toContain('it failed: NOT_FOUND');
    expect(log).not.toContain('city');
  });

  it('tells a failure of the service as it is', async () => {
    await given(() => Promise.reject(new AppError('capacity_exceeded')));
    expect(await carryOn()).toMatchObject(
      failure(
        'capacity_exceeded',
        'The capacity for unfinished invocations is used up.',
      ),
    );
  });

  it.each<[string, unknown]>([
    ['a circle', circular],
    ['a BigInt', 1n],
    ['a function', () => 1],
  ])('ends a tool that returns %s', async (_, returned) => {
    await given(() => Promise.resolve(returned));
    const message = 'The tool returned neither text nor JSON.';
    expect(await carryOn()).toMatchObject(
      failure('tool_failed', message, 'INVALID_RESULT'),
    );
  });

  it('ends a tool that returns what it said it would not', async () => {
    await given(() => Promise.resolve({ sky: SECRET }), {}, z.string());
    const message =
      'The tool returned a result that does not match its schema.';
    expect(await carryOn()).toMatchObject(
      failure('tool_failed', message, 'INVALID_RESULT'),
    );
    expect(log + (await redis.dump())).not.toContain('secret');
  });

  it.each([1_000_001, 10_000_000])(
    'keeps nothing of a result of %i bytes',
    async (size) => {
      await given(() => Promise.resolve('x'.repeat(size)));
      expect(await carryOn()).toMatchObject(
        failure('output_too_large', 'The output is over the memory limit.'),
      );
      expect((await redis.dump()).length).toBeLessThan(10_000);
    },
  );

  it('ends a tool that hangs when its time is up, though it ignores its signal', async () => {
    await given(never);
    expect(await carryOn(claim(30))).toMatchObject(
      failure('tool_timeout', 'The tool did not finish in time.'),
    );
  });

  it('tells a tool that it was cancelled, and does not wait for it', async () => {
    const contexts: ToolContext[] = [];
    await given((_, context) => {
      contexts.push(context);
      return never();
    });
    const begun = await claim();
    const done = carryOn(Promise.resolve(begun));
    await until('the tool to be called', () => calls === 1);
    expect(contexts[0].signal.aborted).toBe(false);
    begun.run.stop('cancel');
    expect(await done).toMatchObject({ status: 'cancelled' });
    expect(contexts[0].signal.reason).toBe('cancel');
  });

  it.each(['cancel', 'deadline', 'lost'] as const)(
    'does not begin with what has to stop for %s',
    async (reason) => {
      await given(never);
      const begun = await claim();
      begun.run.stop(reason);
      await carryOn(Promise.resolve(begun));
      expect(calls).toBe(0);
    },
  );

  it('writes nothing of a run that is somebody else’s by now', async () => {
    await given(() => Promise.resolve('late'));
    const begun = await claim();
    await loseWorker();
    await claim();
    expect(await carryOn(Promise.resolve(begun))).toBe('lost');
    expect(await redis.dump()).not.toContain('late');
  });

  it('runs what is read-only again when its worker was lost', async () => {
    await given(() => Promise.resolve('fine'), READ_ONLY);
    await claim();
    await loseWorker();
    expect(await carryOn()).toMatchObject({ status: 'completed' });
    expect(calls).toBe(1);
  });

  it.each<ToolAnnotations>([{}, { destructiveHint: true }])(
    'does not run %j again of which nobody knows what came',
    async (annotations) => {
      await given(() => Promise.resolve('fine'), annotations);
      await claim();
      await loseWorker();
      expect(await carryOn()).toMatchObject({
        status: 'failed',
        error: { code: 'tool_interrupted' },
        contents: [{ value: { code: 'TOOL_INTERRUPTED' } }],
      });
      expect(calls).toBe(0);
    },
  );

  it('ends with the result that a lost worker had written', async () => {
    await given(() => Promise.resolve('once'));
    const first = await claim();
    await engine.run(first.claim, first.run);
    await loseWorker();
    expect(await carryOn()).toMatchObject({
      status: 'completed',
      text: 'once',
    });
    expect(calls).toBe(1);
    const types = (await events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'output_text')).toHaveLength(1);
  });

  it('hands a read-only tool to another worker when its own leaves', async () => {
    await given(never, READ_ONLY);
    const begun = await claim();
    const done = carryOn(Promise.resolve(begun));
    await until('the tool to be called', () => calls === 1);
    begun.run.stop('shutdown');
    expect(await done).toBeInstanceOf(Rescheduled);
  });

  it('lets any other come to its end, undisturbed', async () => {
    let finish!: (value: string) => void;
    const contexts: ToolContext[] = [];
    await given((_, context) => {
      contexts.push(context);
      return new Promise((resolve) => (finish = resolve));
    });
    const begun = await claim();
    const done = carryOn(Promise.resolve(begun));
    await until('the tool to be called', () => calls === 1);
    begun.run.stop('shutdown');
    finish('whole');
    expect(await done).toMatchObject({ status: 'completed', text: 'whole' });
    expect(contexts[0].signal.aborted).toBe(false);
  });

  it('waits for a tool that its source has not listed yet', async () => {
    await given(() => Promise.resolve('late'));
    const tool = registry.find('it')!;
    registry.unregister('it');
    const listed = () => Promise.resolve(registry.register(tool));
    registry.addSource({ prefix: 'it', listed });
    expect(await carryOn()).toMatchObject({ text: 'late' });
  });

  it.each([
    ['cancel', { status: 'cancelled' }],
    ['deadline', { error: { code: 'tool_timeout' } }],
  ] as const)('ends by %s while it waits for a tool', async (reason, end) => {
    await given(never);
    registry.unregister('it');
    const begun = await claim();
    registry.addSource({
      prefix: 'it',
      listed: () => {
        begun.run.stop(reason);
        return Promise.resolve();
      },
    });
    expect(await carryOn(Promise.resolve(begun))).toMatchObject(end);
  });

  it('says that a tool is not there', async () => {
    await given(never);
    registry.unregister('it');
    expect(await carryOn()).toMatchObject({
      error: { code: 'tool_unavailable' },
    });
  });
});
