import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const CONTRACT = join(__dirname, '../../clients/contract');
const TOKEN = {
  'x-invocation-token': 'ivt_1',
  authorization: 'Bearer sk-test',
};

describe('the replay server of the client contract', () => {
  let server: ChildProcess;
  let url: string;

  beforeAll(async () => {
    server = spawn(process.execPath, [join(CONTRACT, 'replay.mjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(server.stdout!, 'data')) as [Buffer];
    ({ url } = JSON.parse(line.toString()) as { url: string });
  });
  afterAll(async () => {
    server.stdin!.end();
    await once(server, 'exit');
  });

  const report = async (name: string): Promise<unknown> =>
    (await fetch(`${url}/${name}/_report`)).json();
  const reset = (name: string) =>
    fetch(`${url}/${name}/_reset`, { method: 'POST' });
  const get = (name: string, headers: Record<string, string> = TOKEN) =>
    fetch(`${url}/${name}/api/v1/tool-invocations/inv_1`, { headers });
  const submit = (name: string, key: string, body: object = {}) =>
    fetch(`${url}/${name}/api/v1/tool-invocations`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'idempotency-key': key },
      body: JSON.stringify({
        arguments: { background: true, research_question: '짜장면의 역사' },
        tool_name: 'deep_research',
        ...body,
      }),
    });
  const faults = (...words: string[]) => ({ ok: false, faults: words });
  const NEVER = 'not received: GET /api/v1/tool-invocations/inv_1';

  it('reports no faults for the expected requests', async () => {
    const name = 'submit-is-retried-with-the-same-key';
    expect((await submit(name, 'a')).status).toBe(503);
    expect((await submit(name, 'a')).status).toBe(202);
    expect(await report(name)).toEqual({ ok: true, faults: [] });
  });

  it('restarts a case after a reset', async () => {
    const name = 'get-after-a-reset';
    await expect(get(name)).rejects.toThrow();
    await reset(name);
    expect(await report(name)).toEqual(faults(NEVER, NEVER));
  });

  it('reports a request that differs', async () => {
    const name = 'submit-after-a-bad-gateway';
    await submit(name, 'a');
    await submit(name, 'b', { tool_name: 'other' });
    expect(await report(name)).toEqual(
      faults(
        'exchange 1: header idempotency-key: expected "a", got "b"',
        expect.stringMatching(/^exchange 1: body: expected .*"deep_research"/),
      ),
    );
  });

  it('reports an unexpected and a missing header', async () => {
    await get('no-keys');
    expect(await report('no-keys')).toEqual(
      faults(
        'exchange 0: header authorization: expected none, got "Bearer sk-test"',
        'exchange 0: header x-invocation-token: expected none, got "ivt_1"',
        'not received: GET /api/v1/tool-invocations',
      ),
    );
    await get('html-with-200', { 'x-invocation-token': 'ivt_1' });
    expect(await report('html-with-200')).toEqual(
      faults(
        'exchange 0: header authorization: expected "Bearer sk-test", got none',
      ),
    );
  });

  it('reports an unexpected request', async () => {
    const name = 'delete-of-nothing';
    const path = '/api/v1/tool-invocations/inv_1';
    const at = `${url}/${name}${path}`;
    await fetch(at, { method: 'DELETE', headers: TOKEN });
    expect((await fetch(`${at}?again`)).status).toBe(418);
    expect(await report(name)).toEqual(
      faults(`exchange 1: not expected: GET ${path}?again`),
    );
  });

  it('reports a connection that was not closed', async () => {
    const name = 'events-left-early';
    const at = `${url}/${name}/api/v1/tool-invocations/inv_1/events`;
    const leave = new AbortController();
    await fetch(at, { headers: TOKEN, signal: leave.signal });
    expect(await report(name)).toEqual(
      faults('exchange 0: the client did not close the connection'),
    );
    leave.abort();
    expect(await report(name)).toEqual({ ok: true, faults: [] });
  });
});
