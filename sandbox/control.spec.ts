import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxUnderTest } from './testing/sandbox-under-test';
import {
  researchTool,
  sandboxUnderTest,
  until,
  webSearch,
} from './testing/sandbox-under-test';

const research = { model: 'gpt-5.5', input: 'kimchi', tools: webSearch };
const turn = { model: 'gpt-4o', input: 'hello' };

describe('the control endpoints', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterEach(() => s.reset());
  afterAll(() => s.close());

  it('count research runs by invocation, apart from plain turns', async () => {
    const metadata = { invocation_id: 'a' };
    await s.client.responses.create({ ...research, metadata });
    const { id } = await s.client.responses.create({
      ...turn,
      metadata,
      background: true,
    });
    await s.client.responses.create({ ...turn, metadata });
    await s.client.responses.create({ ...turn, tools: [researchTool] });
    await s.client.responses.retrieve(id);
    await s.client.responses.delete(id);
    await s.client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(await s.get('/sandbox/stats')).toMatchObject({
      creates: 2,
      creates_by_invocation: { a: 2 },
      turns: 2,
      retrieves: 1,
      deletes: 1,
      chat_completions: 1,
      in_flight: 0,
    });
  });

  it('list the requests, narrowed by path', async () => {
    const { id } = await s.client.responses.create(turn);
    await s.client.responses.retrieve(id);
    const { requests } = await s.get<{ requests: unknown[] }>(
      `/sandbox/stats?path=${id}`,
    );
    expect(requests).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        method: 'GET',
        path: `/responses/${id}`,
        status: 200,
      },
    ]);
  });

  it('record the last request bodies without credentials', async () => {
    await s.client.responses.create({ ...turn, instructions: 'Be kind.' });
    await s.client.responses.create({ ...turn, input: 'bye' });
    const { data } = await s.get<{ data: { headers: object }[] }>(
      '/sandbox/requests?last=1',
    );
    expect(data).toMatchObject([
      { path: '/responses', body: { input: 'bye' } },
    ]);
    expect(Object.keys(data[0].headers)).toContain('user-agent');
    expect(Object.keys(data[0].headers)).not.toContain('authorization');
  });

  it('change single settings and refuse unknown ones', async () => {
    await s.config({ turn_ms: 3 });
    expect(await s.get('/sandbox/config')).toMatchObject({
      turn_ms: 3,
      research_ms: 40,
    });
    const unknown = await s.post('/sandbox/config', { tempo: 1 });
    const wrong = await s.post('/sandbox/config', { turn_ms: -1 });
    expect([unknown.status, wrong.status]).toEqual([422, 422]);
  });

  it('reset everything to its initial state', async () => {
    const { id } = await s.client.responses.create(turn);
    await s.config({ turn_ms: 3 });
    await s.fault({ kind: 'status', status: 500, count: 0 });
    await s.reset();
    await expect(s.client.responses.retrieve(id)).rejects.toMatchObject({
      status: 404,
    });
    expect(await s.get('/sandbox/config')).toMatchObject({ turn_ms: 1 });
    expect(await s.get('/sandbox/stats')).toMatchObject({ turns: 0 });
  });

  it('disable background mode', async () => {
    await s.config({ background: false });
    await expect(
      s.client.responses.create({ ...research, background: true }),
    ).rejects.toMatchObject({
      status: 400,
      param: 'background',
      code: 'unsupported_parameter',
    });
  });

  it('retire models: still listed after shutdown, not listed when gone', async () => {
    await s.config({
      models: {
        'o3-deep-research': { shutdown_date: '2026-07-23' },
        'gpt-4o': { gone: true },
        'gpt-5.5': { shutdown_date: '9999-01-01' },
      },
    });
    const { data } = await s.client.models.list();
    expect(data).toContainEqual(
      expect.objectContaining({
        id: 'o3-deep-research',
        shutdown_date: '2026-07-23',
      }),
    );
    expect(data.map((model) => model.id)).not.toContain('gpt-4o');
    expect((await s.client.models.retrieve('gpt-5.5')).id).toBe('gpt-5.5');
    await expect(s.client.models.retrieve('gpt-4o')).rejects.toMatchObject({
      status: 404,
    });
    for (const model of ['o3-deep-research', 'gpt-4o'])
      await expect(
        s.client.responses.create({ ...research, model }),
      ).rejects.toMatchObject({
        status: 404,
        code: 'model_not_found',
        error: {
          message: `The model \`${model}\` does not exist or you do not have access to it.`,
        },
      });
    expect((await s.client.responses.create(research)).status).toBe(
      'completed',
    );
  });

  it('imitate a LiteLLM proxy', async () => {
    await s.config({ dialect: 'litellm' });
    const text = await (
      await s.post('/v1/responses', {
        ...research,
        background: true,
        stream: true,
      })
    ).text();
    expect(text).not.toContain('event:');
    expect(text).not.toContain('sequence_number');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    const id = /"id":"(resp_[^"]+)"/.exec(text)?.[1] ?? '';
    expect(id).toMatch(/^resp_[A-Za-z0-9+/]+=*$/);
    expect((await s.client.responses.retrieve(id)).id).toBe(id);
    const refused = await s.post('/v1/responses', { model: 'gpt-4o' });
    expect(await refused.json()).toMatchObject({ error: { code: '400' } });
  });

  it('send a signed webhook for a finished background run', async () => {
    const secret = `whsec_${Buffer.from('a secret').toString('base64')}`;
    const received: { body: string; headers: Record<string, string> }[] = [];
    const receiver = createServer((req, res) => {
      let body = '';
      req.on('data', (chunk) => (body += chunk));
      req.on('end', () => {
        received.push({
          body,
          headers: req.headers as Record<string, string>,
        });
        res.end();
      });
    });
    await new Promise<void>((resolve) =>
      receiver.listen(0, '127.0.0.1', resolve),
    );
    const { port } = receiver.address() as AddressInfo;
    await s.config({ webhook: { url: `http://127.0.0.1:${port}/`, secret } });
    const { id } = await s.client.responses.create({
      ...research,
      background: true,
    });
    await until(() => Promise.resolve(received.length === 1));
    const [{ body, headers }] = received;
    expect(await s.client.webhooks.unwrap(body, headers, secret)).toMatchObject(
      { type: 'response.completed', data: { id } },
    );
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  });
});
