import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all, type Frame, type Invocation } from '../../support/client';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const SECRET = 'secret-of-the-wiki';
const QUESTION = { research_question: 'Kimchi and jajangmyeon in detail' };
const TWO_PHASES = { ...QUESTION, data_sources: 'web_then_private' };
const PRIVATE_PAGE = 'https://sandbox.example/private/menu-notes';

const folder = mkdtempSync(join(tmpdir(), 'hosted-'));
const configured = (research: string[]): Record<string, string> => {
  const path = join(folder, `${research.join('-')}.json`);
  const wiki = {
    url: 'https://wiki.internal.example/mcp',
    trusted: true,
    authorization: '${WIKI_TOKEN}',
    headers: { 'x-key': '${WIKI_TOKEN}' },
  };
  const content = {
    web_search: { allowedDomains: ['sandbox.example'] },
    file_search: { vectorStoreIds: ['vs_1'] },
    code_interpreter: {},
    mcp: { wiki },
    research,
  };
  writeFileSync(path, JSON.stringify(content));
  return { RELAY_HOSTED_TOOLS_CONFIG: path, WIKI_TOKEN: SECRET };
};
const ALL = ['web_search', 'code_interpreter', 'file_search', 'mcp:wiki'];

afterAll(() => rmSync(folder, { recursive: true }));

/** The invocation of the public phase of another; the token of either opens it. */
const publicPhaseOf = (of: Invocation, stand: Stand) =>
  stand
    .client()
    .invocation(`${of.id.slice(0, 16)}8${of.id.slice(17)}`, of.token);
const urlsOf = (record: { sources: { url: string }[] }) =>
  record.sources.map(({ url }) => url);

describe('research over the web and private sources', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 400,
      env: {
        ...configured(ALL),
        // Both phases use one model; neither may block the admission of the other.
        RESEARCH_MODEL_LIMITS: '*:1',
      },
    });
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const offered = async () =>
    (await stand.requests())
      .filter(({ path }) => path.endsWith('/responses'))
      .map(({ body }) =>
        (body.tools ?? []).map(({ type }: { type: string }) => type),
      );
  const research = async (args: object) =>
    (await stand.client().research({ ...QUESTION, ...args })).body;

  it('has only the web by default', async () => {
    const record = await research({});
    expect(record.status).toBe('completed');
    expect(urlsOf(record)).not.toContain(PRIVATE_PAGE);
    expect(await offered()).toEqual([
      ['web_search_preview', 'code_interpreter'],
    ]);
  });

  it('can use private sources without the web, and exposes none of their secrets', async () => {
    const record = await research({ data_sources: 'private' });
    expect(record.status).toBe('completed');
    expect(urlsOf(record)).toEqual([PRIVATE_PAGE]);
    const [{ body }] = await stand.requests();
    expect(body.tools).toEqual([
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'file_search', vector_store_ids: ['vs_1'] },
      {
        type: 'mcp',
        server_label: 'wiki',
        server_url: 'https://wiki.internal.example/mcp',
        require_approval: 'never',
        authorization: SECRET,
        headers: { 'x-key': SECRET },
      },
    ]);
    const seen = [
      JSON.stringify(record),
      ...[...stand.apis, ...stand.workers].map(({ output }) => output),
    ].join('\n');
    expect(seen).not.toContain(SECRET);
    expect(seen).not.toContain('wiki.internal');
  });

  it('cannot use both at once, and the error names the alternatives', async () => {
    const reply = await stand
      .client()
      .research({ ...QUESTION, data_sources: 'web_and_private' });
    expectProblem(reply, {
      status: 422,
      code: 'validation_failed',
      paths: ['arguments.data_sources'],
    });
    expect(reply.body.errors[0].message).toContain('web_then_private');
    expect((await stand.stats()).creates).toBe(0);
  });

  it('uses both in two phases, each purchased once', async () => {
    const documents = [{ title: 'Mine', text: 'Kimchi is red.' }];
    const invocation = await stand
      .client()
      .submit({ ...TWO_PHASES, documents });
    const frames = await all(invocation.follow());
    const record = await invocation.read();
    expect(record.status).toBe('completed');
    const first = publicPhaseOf(invocation, stand);
    const found = await first.read();
    expect(found).toMatchObject({
      tool_name: 'deep_research',
      status: 'completed',
    });
    expect(urlsOf(found)).not.toContain(PRIVATE_PAGE);
    expect(urlsOf(record)).toEqual([PRIVATE_PAGE, ...urlsOf(found)]);
    expect(steps(frames).filter((step) => step.startsWith('Phase'))).toEqual([
      `Phase 1 of 2: the web, as ${first.id}`,
      'Phase 2 of 2: private sources',
    ]);
    expect(await offered()).toEqual([
      ['web_search_preview', 'code_interpreter'],
      ['code_interpreter', 'file_search', 'mcp'],
    ]);
    const [web, own] = (await stand.requests()).map(({ body }) =>
      JSON.stringify(body.input),
    );
    expect(web).not.toContain('Kimchi is red.');
    expect(own).toContain('Kimchi is red.');
    expect(own).toContain(found.output_text.split('\n')[0]);
    expect((await stand.stats()).creates_by_invocation).toEqual({
      [first.id]: 1,
      [invocation.id]: 1,
    });
  });

  it('purchases nothing twice when the worker is killed between the phases', async () => {
    const invocation = await stand.client().submit(TWO_PHASES);
    const first = publicPhaseOf(invocation, stand);
    await until(
      'the public phase to be purchased',
      async (saw) => saw(await stand.stats()).creates === 1,
    );
    await until(
      'the public phase to have an upstream response',
      async (saw) => saw(await first.read()).upstream_response_id,
    );
    await stand.killWorkers();
    await until(
      'no run to be in flight',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
    await stand.addWorker();
    expect((await endOf(invocation)).status).toBe('completed');
    expect((await stand.stats()).creates_by_invocation).toEqual({
      [first.id]: 1,
      [invocation.id]: 1,
    });
  });

  it('cancels the public phase with the second', async () => {
    await stand.configure({ research_ms: 60_000 });
    const invocation = await stand.client().submit(TWO_PHASES);
    const first = publicPhaseOf(invocation, stand);
    await until(
      'the public phase to be in flight',
      async (saw) => saw(await stand.stats()).in_flight === 1,
    );
    await invocation.cancel();
    for (const one of [invocation, first])
      expect((await endOf(one)).status).toBe('cancelled');
    expect(await stand.stats()).toMatchObject({
      creates: 1,
      cancels: 1,
      in_flight: 0,
    });
  });

  it.each([
    ['fails', { kind: 'failed', match: { body: 'web_search_preview' } }],
    ['is cancelled', undefined],
  ])('fails when its public phase %s', async (_, fault) => {
    if (fault) await stand.fault(fault);
    else await stand.configure({ research_ms: 60_000 });
    const invocation = await stand.client().submit(TWO_PHASES);
    if (!fault) {
      await until(
        'the public phase to be in flight',
        async (saw) => saw(await stand.stats()).in_flight === 1,
      );
      await publicPhaseOf(invocation, stand).cancel();
    }
    expect(await endOf(invocation)).toMatchObject({
      status: 'failed',
      error: { code: fault ? 'upstream_failed' : 'cancelled' },
    });
    expect((await stand.stats()).creates).toBe(1);
  });

  it('lets others run while it waits for its public phase', async () => {
    const invocations = await Promise.all([
      stand.client().submit(TWO_PHASES),
      stand.client().submit(TWO_PHASES),
      stand.client().submit(QUESTION),
    ]);
    for (const invocation of invocations)
      expect((await endOf(invocation)).status).toBe('completed');
    expect((await stand.stats()).creates).toBe(5);
  });
});

describe('research with other lists of hosted tools', () => {
  let stand: Stand;

  afterEach(() => stand.stop());

  const start = async (env: Record<string, string>) => {
    stand = await Stand.start({ researchMs: 50, env });
  };
  const asks = (data_sources?: string) =>
    stand.client().research({ ...QUESTION, data_sources });
  const refused = {
    status: 422,
    code: 'validation_failed',
    paths: ['arguments.data_sources'],
  };

  it('rejects private sources where none are configured', async () => {
    await start({});
    for (const sources of ['private', 'web_then_private'])
      expectProblem(await asks(sources), refused);
    expect((await asks('web')).body.status).toBe('completed');
  });

  it('rejects private sources where the model supports none', async () => {
    await start({ ...configured(ALL), LITELLM_MODEL: 'gpt-4o' });
    for (const sources of ['private', 'web_then_private'])
      expectProblem(await asks(sources), refused);
  });

  it('rejects the web where there is none, and works without it', async () => {
    await start(configured(['file_search']));
    for (const sources of ['web', 'web_then_private'])
      expectProblem(await asks(sources), refused);
    expect((await asks()).body.output_text).toContain('menu-notes.md');
  });

  it('uses both at once where that is allowed', async () => {
    await start({ ...configured(ALL), RELAY_ALLOW_MIXED_SOURCES: 'true' });
    const { body } = await asks('web_and_private');
    expect(body.status).toBe('completed');
    expect(urlsOf(body)).toContain(PRIVATE_PAGE);
    expect(urlsOf(body).length).toBeGreaterThan(1);
  });
});

const steps = (frames: Frame[]) =>
  frames
    .filter(({ event }) => event === 'progress')
    .map(({ data }) => String(data.data.detail));

const endOf = (invocation: Invocation) =>
  until(`run ${invocation.id} to end`, async (saw) => {
    const record = saw(await invocation.read());
    return ['queued', 'running'].includes(record.status) ? undefined : record;
  });
