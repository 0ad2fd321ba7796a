import { untilResearchRuns } from '../support/chat/chats';
import { ToolCallLog } from '../support/tool-call-log';
import {
  waitForChatEnd,
  BackgroundChat,
} from '../support/chat/background-chat';
import type { Service } from '../support/processes/service';
import { Stand } from '../support/processes/stand';
import { Toolbox, testTools } from '../support/processes/toolbox';
import { until } from '../support/until';

const QUESTION = '짜장면의 역사를 자세히 알려줘';
const CHAT_MODEL = { model: 'gpt-4o' };
const RESEARCH_MODEL = { model: 'o3-deep-research' };
const STAYS = { kind: 'stay', status: 'in_progress', match: RESEARCH_MODEL };
const SILENT = { kind: 'silence', after_events: 6, match: RESEARCH_MODEL };
const SIGNALS = ['SIGKILL', 'SIGTERM'] as const;
/** How each engine passes the result of a tool to a model. */
const RESULT_MARKS = {
  agents: 'function_call_output',
  responses: 'function_call_output',
  prompt: 'Tool result of',
};

describe('a background chat that loses its worker', () => {
  const callLog = new ToolCallLog();
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      workers: 0,
      toolbox: new Toolbox(testTools('plain.tool.ts')),
      env: { ...callLog.env },
    });
  });
  afterEach(async () => {
    callLog.clear();
    await Promise.all(
      stand.workers.splice(0).map((worker) => worker.stop('SIGKILL')),
    );
    // What no worker has ended would be the next test's first call.
    await stand.redis.call('FLUSHALL');
    await stand.reset();
  });
  afterAll(async () => {
    await stand.stop();
    callLog.remove();
  });

  const calling = (name: string, args: object) =>
    `[sandbox: call ${name} ${JSON.stringify(args)}]`;
  const begin = (message: string) =>
    BackgroundChat.begin(stand.client(), { message });
  /** Through the API process that did not accept the chat. */
  const end = (chat: BackgroundChat) =>
    waitForChatEnd(chat.through(stand.client(1)));
  const turns = async () =>
    (await stand.requests()).filter(({ body }) => body.model === 'gpt-4o');
  const done = (tool: string) =>
    callLog.entries().filter((entry) => entry.tool === tool).length;
  /** A second worker is ready before the first is stopped or killed. */
  const lose = async (
    worker: Service,
    signal: NodeJS.Signals,
    env: Record<string, string> = {},
    held: { id: string }[] = [],
  ) => {
    await stand.addWorker(env);
    stand.workers = stand.workers.filter((one) => one !== worker);
    const code = await worker.stop(signal);
    if (signal === 'SIGTERM') expect(code).toBe(0);
    else await stand.expireLeases(...held);
  };

  describe.each(SIGNALS)('(%s)', (signal) => {
    it('in its first turn is answered by another worker', async () => {
      await stand.fault({ kind: 'slow', ms: 60_000, match: CHAT_MODEL });
      const worker = await stand.addWorker();
      const chat = await begin('안녕하세요');
      await until(
        'the first turn of the model',
        async (saw) => saw(await stand.stats()).turns === 1,
      );
      await lose(worker, signal);
      const { body, frames } = await end(chat);
      expect(body).toMatchObject({
        status: 'completed',
        content: expect.stringMatching(/\S/),
        tool_calls: [],
      });
      expect(frames.map(({ event }) => event)).toEqual([
        'status',
        'status',
        'delta',
        'status',
        'completed',
      ]);
    });

    it.each(Object.keys(RESULT_MARKS))(
      'during research continues with the same run, with the engine "%s"',
      async (engine) => {
        // However long the other worker takes to start, the research is not over by then.
        await stand.fault({ ...SILENT, count: 0 });
        const env = { RELAY_CHAT_ENGINES: engine };
        const worker = await stand.addWorker(env);
        const chat = await begin(QUESTION);
        await chat.reaches('tool_progress');
        await untilResearchRuns(stand);
        await lose(worker, signal, env);
        await stand.clearFaults();
        const { body } = await end(chat);
        expect(body).toMatchObject({
          status: 'completed',
          research_summary: expect.stringContaining('짜장면'),
          tool_calls: [{ tool_name: 'deep_research', status: 'completed' }],
        });
        expect((await stand.stats()).creates).toBe(1);
        // The first turn is not repeated.
        expect(await turns()).toHaveLength(2);
      },
    );

    it.each(Object.entries(RESULT_MARKS))(
      'after research has ended does not repeat it, with the engine "%s"',
      async (engine, mark) => {
        const match = { ...CHAT_MODEL, body: mark };
        await stand.fault({ kind: 'slow', ms: 60_000, match });
        const env = { RELAY_CHAT_ENGINES: engine };
        const worker = await stand.addWorker(env);
        const chat = await begin(QUESTION);
        await chat.reaches('tool_result');
        await until(
          'the second turn of the model',
          async (saw) => saw(await stand.stats()).turns === 2,
        );
        await lose(worker, signal, env);
        const { body } = await end(chat);
        expect(body).toMatchObject({
          status: 'completed',
          content: expect.stringMatching(/\S/),
          research_summary: expect.stringContaining('짜장면'),
        });
        expect(body.content).not.toBe(body.research_summary);
        expect((await stand.stats()).creates).toBe(1);
        const [first, second, third, ...more] = await turns();
        expect(more).toEqual([]);
        expect(JSON.stringify(first.body)).not.toContain(mark);
        for (const { body: turn } of [second, third])
          expect(JSON.stringify(turn)).toContain(mark);
      },
    );

    it('before the model received a tool result does not repeat the tool', async () => {
      const match = { ...CHAT_MODEL, body: 'function_call_output' };
      await stand.fault({ kind: 'hang', match });
      const worker = await stand.addWorker();
      const chat = await begin(calling('write_down', { word: 'kimchi' }));
      await chat.reaches('tool_result');
      await lose(worker, signal);
      const { body } = await end(chat);
      expect(body).toMatchObject({
        status: 'completed',
        tool_calls: [{ tool_name: 'write_down', status: 'completed' }],
      });
      expect(done('write_down')).toBe(1);
    });

    it('repeats only read-only calls that have not ended', async () => {
      const worker = await stand.addWorker();
      const chat = await begin(
        calling('write_down', { word: 'kimchi' }) +
          calling('wait_to_read', { file: callLog.releaseFile }),
      );
      await chat.reaches('tool_result');
      await until(
        'wait_to_read to be called',
        (saw) => saw(done('wait_to_read')) === 1,
      );
      await lose(worker, signal);
      await until(
        'wait_to_read to be called again',
        (saw) => saw(done('wait_to_read')) === 2,
      );
      callLog.release();
      const { body } = await end(chat);
      expect(body).toMatchObject({
        status: 'completed',
        tool_calls: [
          { tool_name: 'write_down', status: 'completed' },
          { tool_name: 'wait_to_read', status: 'completed' },
        ],
      });
      expect(done('write_down')).toBe(1);
      expect(await turns()).toHaveLength(2);
    });

    it('never repeats a call with possible side effects, and informs the model', async () => {
      const worker = await stand.addWorker();
      const chat = await begin(
        calling('wait_to_write', { file: callLog.releaseFile }),
      );
      await until(
        'wait_to_write to be called',
        (saw) => saw(done('wait_to_write')) === 1,
      );
      await lose(worker, signal);
      const { body } = await end(chat);
      expect(body).toMatchObject({
        status: 'completed',
        content: expect.stringMatching(/\S/),
        tool_calls: [{ tool_name: 'wait_to_write', status: 'failed' }],
      });
      expect(done('wait_to_write')).toBe(1);
      const [, second, ...more] = await turns();
      expect(more).toEqual([]);
      expect(JSON.stringify(second.body)).toContain('TOOL_INTERRUPTED');
    });

    it('keeps waiting for a tool that runs at another worker', async () => {
      // Another tool occupies this worker, so that the tool of the chat runs elsewhere.
      const full = { RELAY_TOOL_CONCURRENCY: '1' };
      const worker = await stand.addWorker(full);
      const { status } = await stand.client().post('/api/v1/tool-invocations', {
        tool_name: 'wait_to_read',
        arguments: {
          file: `${callLog.releaseFile} that never exists`,
          background: true,
        },
      });
      expect(status).toBe(202);
      await until(
        'wait_to_read to be called',
        (saw) => saw(done('wait_to_read')) === 1,
      );
      const chat = await begin(
        calling('wait_to_write', { file: callLog.releaseFile }),
      );
      await chat.reaches('tool_call');
      expect(done('wait_to_write')).toBe(0);
      await stand.addWorker();
      await until(
        'wait_to_write to be called',
        (saw) => saw(done('wait_to_write')) === 1,
      );
      await lose(worker, signal, {}, [chat]);
      callLog.release();
      const { body } = await end(chat);
      expect(body).toMatchObject({
        status: 'completed',
        tool_calls: [{ tool_name: 'wait_to_write', status: 'completed' }],
      });
      expect(done('wait_to_write')).toBe(1);
      const [, second] = await turns();
      expect(JSON.stringify(second.body)).toContain('It is there.');
    });
  });

  it('receives the result of a tool that finished before its worker shut down', async () => {
    const worker = await stand.addWorker();
    const chat = await begin(
      calling('wait_to_write', { file: callLog.releaseFile }),
    );
    await until(
      'wait_to_write to be called',
      (saw) => saw(done('wait_to_write')) === 1,
    );
    const left = lose(worker, 'SIGTERM');
    await worker.waitForOutput(/SIGTERM: shutting down/);
    callLog.release();
    await left;
    const { body } = await end(chat);
    expect(body).toMatchObject({
      status: 'completed',
      tool_calls: [{ tool_name: 'wait_to_write', status: 'completed' }],
    });
    expect(done('wait_to_write')).toBe(1);
  });

  it('and is cancelled meanwhile still stops its research', async () => {
    await stand.fault(STAYS);
    const worker = await stand.addWorker();
    const chat = await begin(QUESTION);
    await untilResearchRuns(stand);
    stand.workers.pop();
    await worker.stop('SIGKILL');
    await stand.expireLeases();
    expect((await chat.cancel()).status).toBe(202);
    await stand.addWorker();
    const { body } = await end(chat);
    expect(body).toMatchObject({
      status: 'cancelled',
      error: { code: 'cancelled' },
    });
    await until(
      'the research run to be cancelled upstream',
      async (saw) => saw(await stand.stats()).cancels === 1,
    );
    expect(await stand.stats()).toMatchObject({ creates: 1, in_flight: 0 });
  });
});
