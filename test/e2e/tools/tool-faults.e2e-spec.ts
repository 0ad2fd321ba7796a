import { all, type Client, type Invocation } from '../../support/client';
import { ToolCallLog } from '../../support/tool-call-log';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';
import { until } from '../../support/until';
import { waitForEnd } from '../../support/event-log';

const PATH = '/api/v1/tool-invocations';
const SECRET = /sk-tool-secret|db\.internal/;

describe('a tool that', () => {
  const callLog = new ToolCallLog();
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      toolbox: new Toolbox(testTools('plain.tool.ts', 'hostile.tool.ts')),
      env: { ...callLog.env },
    });
    client = stand.client();
  });
  afterEach(() => callLog.clear());
  afterAll(async () => {
    await stand.stop();
    callLog.remove();
  });

  const start = async (tool: string, args = {}): Promise<Invocation> => {
    const { body } = await client.post(PATH, {
      tool_name: tool,
      arguments: { ...args, background: true },
    });
    return client.invocation(body.invocation_id, body.invocation_token);
  };
  const begun = async (tool: string): Promise<Invocation> => {
    const invocation = await start(tool, { file: callLog.releaseFile });
    await until(
      `${tool} to begin`,
      (saw) => saw(callLog.of(invocation)).length === 1,
    );
    return invocation;
  };
  const emitted = (code: string) => [
    { type: 'value', value: { code, message: expect.stringMatching(/\.$/) } },
  ];

  describe('misbehaves', () => {
    let pid: number;

    beforeAll(async () => {
      ({ pid } = await stand.addWorker());
    });
    /** Its worker is alive, and does other work. */
    afterEach(async () => {
      const other = await start('say', { word: 'fine' });
      expect(await waitForEnd(other)).toMatchObject({ output_text: 'fine' });
      expect(stand.workers.map((worker) => worker.pid)).toEqual([pid]);
      expect(() => process.kill(pid, 0)).not.toThrow();
      expect(stand.workers[0].output).not.toMatch(/"level":"(error|fatal)"/);
    });
    afterAll(async () => {
      await stand.workers.pop()!.stop('SIGKILL');
    });

    it.each([
      ['leak', 'tool_failed', 'TOOL_FAILED'],
      ['throw_in_timer', 'tool_failed', 'TOOL_FAILED'],
      ['leave_rejection', 'tool_failed', 'TOOL_FAILED'],
      ['lie', 'tool_failed', 'INVALID_RESULT'],
      ['return_circle', 'tool_failed', 'INVALID_RESULT'],
      ['return_function', 'tool_failed', 'INVALID_RESULT'],
      ['return_much', 'output_too_large', 'OUTPUT_TOO_LARGE'],
      ['hang', 'tool_timeout', 'TOOL_TIMEOUT'],
      ['linger', 'tool_timeout', 'TOOL_TIMEOUT'],
    ])('(%s) harms only its own invocation: %s', async (name, code, as) => {
      const invocation = await start(name);
      const record = await waitForEnd(invocation);
      expect(record).toMatchObject({
        status: 'failed',
        error: { code },
        contents: emitted(as),
        output_text: null,
      });
      const frames = await all(invocation.events());
      expect(JSON.stringify([record, frames])).not.toMatch(SECRET);
      expect(await stand.redis.dump()).not.toMatch(SECRET);
      expect(stand.workers[0].output).not.toMatch(SECRET);
    });

    it('floods its events delivers a few of them, and its result', async () => {
      const invocation = await start('flood');
      expect(await waitForEnd(invocation)).toMatchObject({
        status: 'completed',
        output_text: 'dry',
      });
      const frames = await all(invocation.events());
      const progress = frames.filter(({ event }) => event === 'progress');
      expect(progress.length).toBeLessThan(5);
    });

    it('hangs can be cancelled, though it ignores its signal', async () => {
      const invocation = await start('hang_long');
      for await (const { event } of invocation.events())
        if (event === 'progress') break;
      await invocation.cancel();
      expect(await waitForEnd(invocation)).toMatchObject({
        status: 'cancelled',
      });
    });

    it('fails is reported to the model, which still answers', async () => {
      const calls = ['leak', 'hang', 'return_circle', 'say {"word": "ok"}'];
      const message = calls.map((call) => `[sandbox: call ${call}]`).join();
      const { status, body } = await client.post('/api/v1/chat', { message });
      expect(status).toBe(200);
      expect(
        body.tool_calls.map((call: { status: string }) => call.status),
      ).toEqual(['failed', 'failed', 'failed', 'completed']);
      expect(body.content).toMatch(/\S/);
      const [, second] = await stand.requests(2);
      expect(JSON.stringify(second.body)).toMatch(
        /TOOL_FAILED.*TOOL_TIMEOUT.*INVALID_RESULT.*ok/,
      );
      expect(JSON.stringify([second.body, body])).not.toMatch(SECRET);
    });
  });

  describe('loses its worker', () => {
    afterEach(async () => {
      await Promise.all(stand.workers.splice(0).map((one) => one.stop()));
    });
    const lose = async (signal: NodeJS.Signals) => {
      const [worker] = stand.workers.splice(0);
      const ended = worker.stop(signal);
      if (signal === 'SIGKILL') {
        await ended;
        await stand.expireLeases();
      }
      return ended;
    };

    it('is repeated to its end if it only reads', async () => {
      await stand.addWorker();
      const invocation = await begun('wait_to_read');
      await lose('SIGKILL');
      await stand.addWorker();
      await until(
        'the tool to be called again',
        (saw) => saw(callLog.of(invocation)).length === 2,
      );
      callLog.release();
      expect(await waitForEnd(invocation)).toMatchObject({
        status: 'completed',
        output_text: 'It is there.',
      });
      expect(callLog.of(invocation)).toEqual(['wait_to_read', 'wait_to_read']);
    });

    it('is never repeated if it may have side effects', async () => {
      await stand.addWorker();
      const invocation = await begun('wait_to_write');
      await lose('SIGKILL');
      callLog.release();
      await stand.addWorker();
      expect(await waitForEnd(invocation)).toMatchObject({
        status: 'failed',
        error: { code: 'tool_interrupted', retryable: true },
        contents: emitted('TOOL_INTERRUPTED'),
      });
      expect(callLog.of(invocation)).toEqual(['wait_to_write']);
    });

    it('is handed over at shutdown of the worker, if it only reads', async () => {
      await stand.addWorker();
      const invocation = await begun('wait_to_read');
      expect(await lose('SIGTERM')).toBe(0);
      expect((await invocation.read()).status).toBe('running');
      callLog.release();
      await stand.addWorker();
      expect((await waitForEnd(invocation)).status).toBe('completed');
      expect(callLog.of(invocation)).toEqual(['wait_to_read', 'wait_to_read']);
    });

    it('may finish at shutdown of the worker, if it cannot be repeated', async () => {
      const worker = await stand.addWorker();
      const invocation = await begun('wait_to_write');
      const ended = lose('SIGTERM');
      await worker.waitForOutput(/SIGTERM: shutting down/);
      callLog.release();
      expect(await ended).toBe(0);
      expect(await invocation.read()).toMatchObject({
        status: 'completed',
        output_text: 'It is there.',
      });
      expect(callLog.of(invocation)).toEqual(['wait_to_write']);
    });

    it('never finishes cannot block the shutdown of the worker', async () => {
      await stand.addWorker();
      const invocation = await begun('wait_to_write');
      expect(await lose('SIGTERM')).toBe(0);
      expect(await invocation.read()).toMatchObject({
        status: 'failed',
        error: { code: 'tool_interrupted' },
      });
      expect(callLog.of(invocation)).toEqual(['wait_to_write']);
    });
  });
});
