import { createHash } from 'node:crypto';
import type { Client } from '../../support/client';
import { ToolCallLog } from '../../support/tool-call-log';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';

const API_KEYS = `alice:${createHash('sha256').update('key-of-alice').digest('hex')}`;

describe('tools in a chat', () => {
  const callLog = new ToolCallLog();
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      toolbox: new Toolbox(testTools('plain.tool.ts')),
      env: {
        ...callLog.env,
        RELAY_API_KEYS: API_KEYS,
        RELAY_TOOLS_OFF: 'wait*',
        RELAY_MAX_CALLS_PER_TOOL: '2',
      },
    });
    client = stand.client().as('key-of-alice');
  });
  afterEach(async () => {
    callLog.clear();
    await stand.reset();
  });
  afterAll(async () => {
    await stand.stop();
    callLog.remove();
  });

  const calling = (name: string, args: object) =>
    `[sandbox: call ${name} ${JSON.stringify(args)}]`;
  const chat = async (message: string, more: object = {}) => {
    const headers = { 'x-request-id': 'req-of-alice' };
    const body = { message, ...more };
    return (await client.post('/api/v1/chat', body, headers)).body;
  };
  /** The requests that the model received, turn by turn. */
  const turns = async () =>
    (await stand.requests()).map(({ body }) => JSON.stringify(body));

  it("a tool receives the caller's identity, which never reaches a model", async () => {
    const reply = await chat(calling('write_down', { word: 'kimchi' }));
    expect(reply).toMatchObject({
      tool_called: true,
      tool_name: 'write_down',
      research_summary: null,
      tool_calls: [{ arguments: { word: 'kimchi' }, status: 'completed' }],
    });
    const { invocation_id, invocation_token } = reply.tool_calls[0];
    expect(callLog.entries()).toEqual([
      expect.objectContaining({
        tenant: 'alice',
        requestId: 'req-of-alice',
        invocationId: invocation_id,
      }),
    ]);
    const sent = (await turns()).join();
    expect(sent).toContain('kimchi');
    for (const secret of ['alice', invocation_id, invocation_token])
      expect(sent).not.toContain(secret);
  });

  it('tools are described with strict schemas, without those that are off or internal', async () => {
    await chat('안녕하세요');
    const [{ body }] = await stand.requests();
    const tools = body.tools as { name: string; strict: boolean }[];
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['deep_research', 'set_alarm', 'write_down']),
    );
    for (const off of ['wait_to_read', 'wait_to_write', 'alarm'])
      expect(names).not.toContain(off);
    expect(tools.every(({ strict }) => strict)).toBe(true);
  });

  it('a tool with direct return supplies the answer', async () => {
    const reply = await chat(calling('say', { word: 'kimchi', times: 3 }));
    expect(reply.content).toBe('kimchi kimchi kimchi');
    expect(await turns()).toHaveLength(1);
  });

  it('a tool receives the time zone of the request unless the model names one', async () => {
    const zone = { time_zone: 'Asia/Seoul' };
    await chat(
      calling('tell_zone', {}) +
        calling('tell_zone', { time_zone: 'Europe/Berlin' }),
      zone,
    );
    const [, second] = await turns();
    expect(second).toMatch(/zone.{1,8}Asia\/Seoul/);
    expect(second).toMatch(/zone.{1,8}Europe\/Berlin/);
  });

  it("a failure is reported to the model by its code and the tool's own message", async () => {
    const reply = await chat(calling('find', { word: 'kimchi' }));
    expect(reply).toMatchObject({
      tool_called: true,
      tool_calls: [
        {
          tool_name: 'find',
          status: 'failed',
          error: { code: 'tool_failed', message: 'There is no kimchi.' },
        },
      ],
      status: 'completed',
      error: null,
    });
    const [, second] = await turns();
    expect(second).toMatch(/NOT_FOUND.{1,20}There is no kimchi\./);
    expect(reply.content).toMatch(/\S/);
  });

  it('a failure of a required tool ends the request', async () => {
    const error = {
      code: 'tool_failed',
      message: 'The tool failed.',
      retryable: false,
    };
    const reply = await chat(
      calling('must_work', { word: 'a' }) + calling('say', { word: 'b' }),
    );
    expect(reply).toMatchObject({
      content: `must_work failed. ${error.message}`,
      tool_called: true,
      tool_calls: [
        { status: 'failed', error },
        { status: 'completed', error: null },
      ],
      status: 'failed',
      error,
    });
    expect(await turns()).toHaveLength(1);
  });

  it('the limit of calls per tool is enforced', async () => {
    const word = (n: number) => calling('write_down', { word: `w${n}` });
    const reply = await chat([1, 2, 3].map(word).join());
    expect(
      reply.tool_calls.map(({ status }: { status: string }) => status),
    ).toEqual(['completed', 'completed', null]);
    expect(callLog.entries()).toHaveLength(2);
    expect((await turns())[1]).toContain('LIMIT_REACHED');
  });

  it.each([
    ['wait_to_read', { file: 'a' }, 'UNKNOWN_TOOL'],
    ['alarm', { message: 'a' }, 'UNKNOWN_TOOL'],
    ['write_down', { word: '' }, 'INVALID_ARGUMENTS'],
  ])(
    'a tool is not run if the model calls %s with %j',
    async (name, args, code) => {
      const reply = await chat(calling(name, args));
      expect(reply).toMatchObject({ tool_called: false, tool_name: null });
      expect((await turns())[1]).toContain(code);
      expect(callLog.entries()).toEqual([]);
    },
  );
});
