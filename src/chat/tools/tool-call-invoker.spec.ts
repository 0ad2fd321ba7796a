import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { runsService } from '../../../test/support/runs-service';
import { loadConfig } from '../../config/load-config';
import type { EventLogSubscriber } from '../../runs/events/event-log-subscriber';
import type { Claim, Finish } from '../../runs/store/run-claim';
import type { LogEvent } from '../../runs/record/run-event';
import { AdoptedRuns } from '../../runs/repeats/adopted-runs';
import type { RunsService } from '../../runs/runs.service';
import { RunWriter } from '../../runs/worker/run-writer';
import { parseArguments } from '../../tools/schemas/parse-arguments';
import { defineTool } from '../../tools/tool-definition';
import type { CallWatcher } from '../turns/chat-observer';
import type { CompletedToolCall } from '../turns/tool-call';
import {
  type ChatContext,
  type ResolvedCall,
  ToolCallInvoker,
  ToolWait,
} from './tool-call-invoker';

const look = defineTool(
  {
    name: 'look',
    description: 'Looks.',
    parameters: z.object({ at: z.string().min(1) }),
  },
  {},
);
const ARGS = { at: 'the sea' };
const FAILED: Finish = {
  status: 'failed',
  error: { code: 'upstream_failed', message: 'It broke.' },
};

/** What a worker does with a run after its start. */
type Work = (claim: Claim, writer: RunWriter) => Promise<unknown>;

describe(ToolCallInvoker.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let service: RunsService;
  let feed: EventLogSubscriber;
  let invoker: ToolCallInvoker;
  let shutdown: AbortController;
  let warnings: jest.SpyInstance;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const env = { REDIS_URL: redis.url, RELAY_MAX_INVOCATIONS: '1' };
    room = new Invocations(redis, loadConfig(env));
    const dispatcher = room.kinds.dispatcherOf('look');
    room.kinds.registerDefault({
      name: 'tools',
      dispatcher,
      parse: (_, args, found) => parseArguments(look, args, found),
    });
    ({ service, feed } = runsService(room));
    const adopted = new AdoptedRuns(room.connections, service);
    invoker = new ToolCallInvoker(service, adopted);
    shutdown = new AbortController();
  });
  afterEach(async () => {
    warnings.mockRestore();
    feed.onApplicationShutdown();
    await room.close();
  });

  const call = (of: Partial<ResolvedCall> = {}): ResolvedCall => ({
    callId: 'call_1',
    toolName: 'look',
    tool: look,
    arguments: ARGS,
    completed: ARGS,
    ...of,
  });
  const context = (of: Partial<ChatContext> = {}): ChatContext => ({
    request: { message: 'Hello' },
    caller: { name: 'alice' },
    waitSignal: shutdown.signal,
    ...of,
  });
  const DURABLE = { durable: { openedBy: ['hash-of-chat'] } };
  const OWN = { invocationId: 'inv_0198a1b2c3d470008000000000000001' };
  const claim = async (id: string) => {
    const outcome = await room.store.claim(id, 'worker', 60_000);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    return outcome.claim;
  };
  const finish =
    (of: Finish): Work =>
    ({ id, fence }) =>
      room.store.finish(id, fence, of);
  const report =
    (text: string, of: Finish = { status: 'completed' }): Work =>
    async (held, writer) => {
      const events = [{ type: 'output_text' as const, data: { text } }];
      await writer.append({ events, text });
      await finish(of)(held, writer);
    };
  /** A watcher that notes what it receives; a worker takes the run as soon as it has started. */
  const watcher = (work?: Work, of: Partial<CallWatcher> = {}) => {
    const events: LogEvent[] = [];
    const started: unknown[] = [];
    let done: Promise<unknown> = Promise.resolve();
    const onStart = async (id: string) => {
      const held = await claim(id);
      const { signal } = new AbortController();
      await work!(held, new RunWriter(room.store, held, signal));
    };
    return {
      events,
      started,
      done: () => done,
      watcher: {
        ...of,
        started: (begun: Pick<CompletedToolCall, 'invocation'>) => {
          started.push(begun.invocation);
          if (work) done = onStart(begun.invocation!.id);
        },
        event: (_: string, event: LogEvent) => void events.push(event),
      } satisfies CallWatcher,
    };
  };
  const invoke = async (
    work: Work | undefined,
    of: Partial<ChatContext> = {},
    from: Partial<CallWatcher> = {},
  ) => {
    const seen = watcher(work, from);
    const result = await invoker.invoke(call(), context(of), seen.watcher);
    await seen.done();
    return { ...seen, result };
  };
  const statusOf = async ({ invocation }: CompletedToolCall) =>
    (await service.read(invocation!.id)).status;
  const error = (code: string, message: unknown) => [
    { type: 'value', value: { code, message } },
  ];

  it('runs the tool for the caller, and returns its text with the token of the run', async () => {
    const { result, started } = await invoke(report('Waves.'));
    const { id, token } = result.invocation!;
    expect(result).toMatchObject({
      callId: 'call_1',
      outcome: 'reported',
      output: [{ type: 'text', text: 'Waves.' }],
      report: 'Waves.',
      invocation: { status: 'completed' },
    });
    expect(started).toEqual([{ id, token, status: 'queued' }]);
    const opened = await service.open(id, {}, token);
    expect(opened).toMatchObject({ tool: 'look', caller: 'alice' });
  });

  it('returns the parts that a tool gave in place of its text', async () => {
    const contents = [{ type: 'value', value: { height: 2 } }];
    const fields = { contents: JSON.stringify(contents) };
    const { result } = await invoke(finish({ status: 'completed', fields }));
    expect(result).toMatchObject({ outcome: 'reported', output: contents });
  });

  it('names the sources of a run, and says why a report is incomplete', async () => {
    const url = 'https://example.com/';
    const fields = { sources: JSON.stringify([{ url, title: '' }]) };
    const { result } = await invoke(
      report('Wav', { ...FAILED, status: 'incomplete', fields }),
    );
    expect(result).toMatchObject({
      outcome: 'reported',
      report: 'Wav',
      consulted: [url],
      output: [{ text: '[This ended early: It broke.]\n\nWav' }],
    });
  });

  it.each<[string, Finish, string, string]>([
    ['failed', FAILED, 'It broke.', 'upstream_failed'],
    [
      'completed without a text',
      { status: 'completed' },
      'look failed.',
      'completed',
    ],
  ])('fails if the run has %s, and logs the code alone', async (...of) => {
    const [, end, message, code] = of;
    const { result } = await invoke(finish(end));
    expect(result).toMatchObject({
      outcome: 'failed',
      output: error('TOOL_FAILED', message),
      invocation: { status: end.status },
    });
    expect(warnings.mock.calls).toEqual([[`A call of look failed: ${code}`]]);
  });

  it('reports every event of the run in order, but not its end', async () => {
    const { events } = await invoke(async (held, writer) => {
      const data = { kind: 'tool', detail: 'Half way' } as const;
      await writer.append({ events: [{ type: 'progress', data }] });
      await report('Waves.')(held, writer);
    });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['status', 'progress']),
    );
    expect(events.map(({ type }) => type)).not.toContain('completed');
  });

  it('finds the run of the first attempt when a durable chat repeats a call, and its further events', async () => {
    const ended = await invoke(report('Waves.'), DURABLE, OWN);
    const seenSeq = ended.events[0].seq;
    const again = await invoke(undefined, DURABLE, { ...OWN, seenSeq });
    const id = OWN.invocationId;
    expect(again.result).toEqual(ended.result);
    expect(again.events).toEqual(ended.events.slice(1));
    expect(again.result.invocation).toMatchObject({ id, token: '' });
    const { tokenHashes } = await service.read(id);
    expect(tokenHashes).toContain('hash-of-chat');
  });

  it.each([
    [null, /^The arguments must be one JSON object\.$/],
    [{}, /^at: /],
    [{ at: '' }, /^at: /],
  ])('refuses the arguments %j, and starts nothing', async (args, message) => {
    const refused = await invoker.invoke(call({ completed: args }), context());
    expect(refused).toMatchObject({
      outcome: 'refused',
      output: error('INVALID_ARGUMENTS', expect.stringMatching(message)),
      invocation: null,
    });
    expect(await room.indexed()).toEqual([]);
  });

  it('fails without room for a run, which a durable chat always has', async () => {
    await room.create('inv_1');
    const full = await invoker.invoke(call(), context());
    expect(full).toMatchObject({ outcome: 'failed', invocation: null });
    expect(warnings.mock.calls).toEqual([
      ['A call of look failed: capacity_exceeded'],
    ]);
    const { result } = await invoke(report('Waves.'), DURABLE, OWN);
    expect(result.outcome).toBe('reported');
  });

  it.each<[string, () => Partial<ChatContext>]>([
    ['its wait is over', () => ({ wait: new ToolWait(0, true) })],
    [
      'the process shuts down',
      () => {
        shutdown.abort();
        return {};
      },
    ],
  ])('returns a call as unfinished when %s', async (_, of) => {
    const { result } = await invoke(undefined, of());
    expect(result).toMatchObject({
      outcome: 'unfinished',
      output: [],
      invocation: { status: 'queued' },
    });
    expect(result).not.toHaveProperty('ending');
    expect(await statusOf(result)).toBe('queued');
  });

  it('says of an unfinished call that its run is being cancelled', async () => {
    const { result } = await invoke(async ({ id }) => {
      await service.stop(id);
      shutdown.abort();
    });
    expect(result).toMatchObject({ outcome: 'unfinished', ending: true });
  });

  it.each([{}, DURABLE])(
    'fails when the run is deleted meanwhile (%j)',
    async (of) => {
      const { watcher: quiet } = watcher();
      const result = await invoker.invoke(call(), context(of), {
        ...quiet,
        ...OWN,
        started: async ({ invocation }) =>
          service.remove(await service.read(invocation!.id)),
      });
      expect(result).toMatchObject({
        outcome: 'failed',
        invocation: { status: 'cancelled' },
      });
    },
  );

  it('reports a run whose state cannot be read as it was; a durable chat repeats the call later', async () => {
    const lost = new Error('Connection is closed.');
    const settled = jest.spyOn(service, 'settled').mockRejectedValue(lost);
    expect(await invoker.invoke(call(), context())).toMatchObject({
      outcome: 'unfinished',
      invocation: { status: 'queued' },
    });
    jest.spyOn(service, 'follow').mockImplementation(async function* () {});
    const own = { ...watcher().watcher, ...OWN };
    const repeated = invoker.invoke(call(), context(DURABLE), own);
    await expect(repeated).rejects.toBe(lost);
    settled.mockRestore();
  });

  it('limits the wait for all calls of a chat together', () => {
    jest.useFakeTimers();
    try {
      const wait = new ToolWait(60_000, true);
      const first = wait.limit(service, 'inv_1', shutdown.signal);
      jest.advanceTimersByTime(59_000);
      expect(first.signal.aborted).toBe(false);
      first.clear();
      const second = wait.limit(service, 'inv_2', shutdown.signal);
      jest.advanceTimersByTime(1_000);
      expect(second.signal.aborted).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });
});
