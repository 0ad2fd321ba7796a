import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const CLIENT = join(__dirname, '../../../clients/contract/seed-client.mjs');
const QUESTION = '짜장면의 역사를 자세히 알려줘';
const REPORT = /^# 짜장면의 역사\n/;
const STAY = { kind: 'stay', status: 'in_progress', count: 0 };

interface Shown {
  invocation_id: string;
  invocation_token: string | null;
  upstream_response_id: string | null;
  output_text: string | null;
  status: string;
}

describe('a client that knows only the first version of the API', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  async function client<T>(...args: string[]): Promise<T> {
    const all = [CLIENT, stand.apis[0].url, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, all);
    return JSON.parse(stdout) as T;
  }
  const of = ({ invocation_id, invocation_token }: Shown) =>
    [invocation_id, invocation_token!] as const;

  it('can chat', async () => {
    expect(await client('chat', '안녕하세요!')).toEqual({
      content: expect.stringContaining('무엇을 도와드릴까요?'),
      tool_called: false,
      tool_name: null,
      research_summary: null,
    });
  });

  it('can chat with a model that starts research', async () => {
    expect(await client('chat', QUESTION)).toEqual({
      content: expect.stringContaining('자장몐'),
      tool_called: true,
      tool_name: 'deep_research',
      research_summary: expect.stringMatching(REPORT),
    });
  });

  it('receives failed research as a chat answer', async () => {
    const match = { background: true };
    await stand.fault({ kind: 'failed', count: 0, match });
    const failed = 'deep_research failed. Please retry later.';
    expect(await client('chat', QUESTION)).toMatchObject({
      tool_called: true,
      tool_name: 'deep_research',
      research_summary: failed,
    });
  });

  it('can research in the foreground', async () => {
    expect(await client('research', QUESTION)).toEqual({
      invocation_id: expect.any(String),
      invocation_token: expect.any(String),
      upstream_response_id: expect.stringMatching(/^resp_/),
      output_text: expect.stringMatching(REPORT),
      status: 'completed',
    });
  });

  it('can research in the background and poll until the end', async () => {
    const begun = await client<Shown>('submit', QUESTION);
    expect(begun).toMatchObject({ status: 'queued', output_text: null });
    const ended = await until('the run to end', async (saw) => {
      const record = saw(await client<Shown>('get', ...of(begun)));
      return !['queued', 'running'].includes(record.status) && record;
    });
    expect(ended).toMatchObject({
      status: 'completed',
      output_text: expect.stringMatching(REPORT),
    });
  });

  it('can read the whole report from a stream', async () => {
    const { text, last, record } = await client<{
      text: string;
      last: object;
      record: Shown;
    }>('stream', QUESTION);
    expect(record.output_text).toMatch(REPORT);
    expect(text).toBe(record.output_text);
    expect(last).toMatchObject({ type: 'completed', output_text: text });
  });

  it('can cancel, and sees that in the stream and in the record', async () => {
    await stand.fault(STAY);
    const begun = await client<Shown>('submit', QUESTION);
    await client('cancel', ...of(begun));
    const { last } = await client<{ last: object }>('read', ...of(begun));
    expect(last).toMatchObject({ type: 'error', code: 'cancelled' });
    expect(await client('get', ...of(begun))).toMatchObject({
      status: 'cancelled',
      output_text: null,
    });
  });

  it('sees a failure in the stream and in the record', async () => {
    await stand.fault({ kind: 'failed', count: 0 });
    const { last, record } = await client<{ last: object; record: Shown }>(
      'stream',
      QUESTION,
    );
    expect(last).toMatchObject({ type: 'error', status: 'failed' });
    expect(record).toMatchObject({ status: 'failed', output_text: null });
  });

  it.each(['', 'ivt_other'])(
    'is rejected with the token "%s"',
    async (token) => {
      const [id] = of(await client<Shown>('research', QUESTION));
      await expect(client('get', id, token)).rejects.toThrow('HTTP 403');
    },
  );
});
