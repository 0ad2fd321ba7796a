import { createHash } from 'node:crypto';
import {
  all,
  type Client,
  type Invocation,
  joined,
} from '../../support/client';
import { ToolCallLog } from '../../support/tool-call-log';
import { expectProblem } from '../../support/problem';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';
import { until } from '../../support/until';
import { waitForEnd } from '../../support/event-log';

const API_KEYS = `alice:${createHash('sha256').update('key-of-alice').digest('hex')}`;
const PATH = '/api/v1/tool-invocations';

describe('any tool', () => {
  const callLog = new ToolCallLog();
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      toolbox: new Toolbox(testTools('plain.tool.ts')),
      env: {
        ...callLog.env,
        RELAY_API_KEYS: API_KEYS,
        RELAY_TOOLS_OFF: 'find,must*',
      },
    });
    client = stand.client().as('key-of-alice');
  });
  afterEach(() => callLog.clear());
  afterAll(async () => {
    await stand.stop();
    callLog.remove();
  });

  const invoke = (
    tool_name: string,
    args: object,
    headers: Record<string, string> = {},
  ) => client.post(PATH, { tool_name, arguments: args }, headers);
  const start = async (tool: string, args: object): Promise<Invocation> => {
    const { body } = await invoke(tool, { ...args, background: true });
    return client.invocation(body.invocation_id, body.invocation_token);
  };

  it('is listed with the arguments that callers may send', async () => {
    const { body } = await client.get('/api/v1/tools');
    const tools = body.tools as { name: string }[];
    const { parameters, ...tool } = body.tools.find(
      ({ name }: { name: string }) => name === 'write_down',
    );
    expect(tool).toEqual({
      name: 'write_down',
      description: 'Writes a word down.',
      source: 'builtin',
      returns: expect.objectContaining({ required: ['word', 'times'] }),
      annotations: {},
    });
    expect(parameters).toMatchObject({
      properties: { times: { type: 'integer', default: 1 } },
      required: ['word'],
    });
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['deep_research', 'set_alarm', 'say']),
    );
    for (const off of ['find', 'must_work', 'alarm'])
      expect(names).not.toContain(off);
  });

  it("returns its result and the caller's identity in the foreground", async () => {
    const reply = await invoke(
      'write_down',
      { word: 'kimchi', times: null },
      { 'x-request-id': 'req-of-alice' },
    );
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      tool_name: 'write_down',
      mode: 'foreground',
      status: 'completed',
      output_text: '{"word":"kimchi","times":1}',
      contents: [{ type: 'value', value: { word: 'kimchi', times: 1 } }],
      error: null,
      due_at: null,
      progress: { last_step: 'Writing' },
    });
    expect(callLog.entries()).toEqual([
      {
        tool: 'write_down',
        word: 'kimchi',
        times: 1,
        tenant: 'alice',
        requestId: 'req-of-alice',
        invocationId: reply.body.invocation_id,
      },
    ]);
  });

  it('continues in the background, reports progress, and ends with its text', async () => {
    const invocation = await start('write_down', { word: 'kimchi' });
    expect(await waitForEnd(invocation)).toMatchObject({
      mode: 'background',
      status: 'completed',
    });
    const frames = await all(invocation.events());
    expect(frames.map(({ event }) => event)).toEqual([
      'status',
      'status',
      'progress',
      'output_text',
      'status',
      'completed',
    ]);
    expect(frames[2].data.data).toEqual({
      kind: 'tool',
      detail: 'Writing',
      progress: 1,
      total: 2,
    });
  });

  it('can be streamed', async () => {
    const { status, body } = await invoke('say', {
      word: 'kimchi',
      times: 2,
      stream: true,
    });
    expect([status, body.mode]).toEqual([202, 'stream']);
    const frames = await all(
      client.invocation(body.invocation_id, body.invocation_token).events(),
    );
    expect(joined(frames)).toBe('kimchi kimchi');
    expect(frames.at(-1)).toMatchObject({
      event: 'completed',
      data: { data: { output_text: 'kimchi kimchi' } },
    });
  });

  it('is called once per idempotency key', async () => {
    const key = { 'idempotency-key': 'the key' };
    const replies = await Promise.all(
      [1, 2, 3].map(() => invoke('write_down', { word: 'once' }, key)),
    );
    const again = await invoke('write_down', { word: 'once' }, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const ids = [...replies, again].map(({ body }) => body.invocation_id);
    expect(new Set(ids).size).toBe(1);
    expect(callLog.entries()).toHaveLength(1);
    expectProblem(await invoke('write_down', { word: 'other' }, key), {
      status: 422,
      code: 'idempotency_mismatch',
    });
  });

  it('stops when it is cancelled, and is not called again', async () => {
    const { releaseFile: file } = callLog;
    const invocation = await start('wait_to_write', { file });
    await until(
      'the tool to begin',
      (saw) => saw(callLog.entries()).length === 1,
    );
    expect((await invocation.cancel()).status).toBe(202);
    expect(await waitForEnd(invocation)).toMatchObject({
      status: 'cancelled',
      error: { code: 'cancelled' },
    });
    await until(
      'the tool to stop',
      (saw) => saw(callLog.entries()).length === 2,
    );
    expect(callLog.entries()[1].tool).toBe('stopped');
  });

  it('stops when it is deleted, and nothing of it is stored', async () => {
    const { releaseFile: file } = callLog;
    const invocation = await start('wait_to_write', { file });
    await until(
      'the tool to begin',
      (saw) => saw(callLog.entries()).length === 1,
    );
    expect((await invocation.remove()).status).toBe(204);
    await until(
      'the tool to stop',
      (saw) => saw(callLog.entries()).length === 2,
    );
    expect((await invocation.reply()).status).toBe(404);
    await until('the run to be forgotten', () =>
      stand.redis.hasForgotten(invocation.id),
    );
  });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['arguments.word']],
    [
      'wrong arguments',
      { word: '', times: 1.5 },
      ['arguments.times', 'arguments.word'],
    ],
    ['more', { word: 'a', colour: 1 }, ['arguments.colour']],
    [
      'bad flags',
      { word: 1, stream: 'yes' },
      ['arguments.stream', 'arguments.word'],
    ],
  ])('is not called with %s', async (_, args, paths) => {
    expectProblem(await invoke('write_down', args), {
      status: 422,
      code: 'validation_failed',
      paths,
    });
    expect(callLog.entries()).toEqual([]);
  });

  it.each(['wikipedia', 'find', 'must_work', 'alarm', 'constructor'])(
    'is unknown if it is %s',
    async (name) => {
      const reply = await invoke(name, { word: 'a', message: 'a' });
      expectProblem(reply, {
        status: 422,
        code: 'unknown_tool',
        paths: ['tool_name'],
      });
      expect(reply.body.detail).not.toMatch(/\b(find|must_work|alarm)\b/);
      expect(reply.body.detail).toContain('write_down');
    },
  );

  it('prevents the start if it is faulty, with one sentence', async () => {
    const toolbox = new Toolbox({
      'faulty.tool.ts': `
        import { z } from 'zod';
        import { Tool } from '../tool.decorator';
        @Tool({ name: 'say', description: 'Says.', parameters: z.object({ at: z.date() }) })
        export class FaultyTool { run() {} }
      `,
    });
    for (const entry of ['main', 'worker'] as const) {
      const service = Service.spawn(entry, stand.env, toolbox.dist);
      expect(await service.end()).toBe(1);
      expect(service.output.trim()).toMatch(
        /^The tool "say" has parameters that cannot be described to a model \(.*\): describe every value with a type that JSON has\.$/,
      );
    }
    toolbox.remove();
  });
});
