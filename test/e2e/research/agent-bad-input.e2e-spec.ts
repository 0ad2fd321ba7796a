import { all, type Client } from '../../support/client';
import { expectCitations, INNARDS } from '../../support/agent/agent-report';
import { expectCompleteLog } from '../../support/event-log';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { fixedEndpoint, PAGE } from '../../support/upstream/fixed-endpoint';

const KIMCHI = 'What is the history of kimchi, and how is it made?';
const KEY = 'sk-search-secret';
const SECRET_TEXT = 'Engine Wizard says the vault is open';
const json = (body: object) => JSON.stringify(body);

describe('research by the agent where the outside fails', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      searchesSandbox: true,
      workers: 0,
      env: { LITELLM_MODEL: 'sandbox-plain' },
    });
    client = stand.client();
  });
  afterAll(() => stand.stop());
  afterEach(() => stand.reset());

  /** A run to its end, with everything that anybody outside of the process sees of it. */
  const failed = async (args: object = {}) => {
    const invocation = await client.submit({
      research_question: KIMCHI,
      engine: 'agent',
      ...args,
    });
    const frames = await all(invocation.follow());
    const record = await invocation.read();
    expectCompleteLog(frames, record);
    const seen = JSON.stringify([frames, { ...record, sources: [] }]);
    const lines = () =>
      stand.workers[0].output
        .split('\n')
        .filter((line) => line.includes(invocation.id));
    await until('the end of the run to be logged', (saw) =>
      saw(lines()).some((line) => line.includes('Run ended')),
    );
    const info = lines();
    for (const text of [seen, ...info]) {
      expect(text).not.toContain(SECRET_TEXT);
      expect(text).not.toContain(KEY);
    }
    const { error_message, error } = record;
    for (const text of [error_message, ...info, JSON.stringify(frames.at(-1))])
      expect(text ?? '').not.toMatch(INNARDS);
    expect(record).toMatchObject({ engine: 'agent', output_text: null });
    return { record, message: error_message as string, code: error.code };
  };

  describe('with a search provider that', () => {
    it.each([
      [
        'rejects the key',
        { status: 401, body: json({ error: `bad key ${KEY}` }) },
        'unauthorized',
      ],
      [
        'answers HTML',
        { status: 200, type: 'text/html', body: PAGE },
        'bad_reply',
      ],
      [
        'answers half a JSON',
        { status: 200, body: '{"results": [' },
        'bad_reply',
      ],
      [
        'is of another form',
        { status: 200, body: '{"items": 5}' },
        'bad_reply',
      ],
      [
        'fails in its own words',
        { status: 500, body: json({ error: SECRET_TEXT }) },
        '',
      ],
    ])('%s: search_failed, with what was tried', async (_, reply, fault) => {
      const provider = await fixedEndpoint(() => reply);
      await stand.replaceWorkers({ RELAY_SEARCH: `searxng:${provider.url}` });
      const { record, message, code } = await failed();
      expect(record.status).toBe('failed');
      expect(code).toBe('search_failed');
      expect(message).toMatch(
        new RegExp(`\\d+ searches, 0 of them answered: searxng ${fault}`),
      );
      expect(message).toMatch(/0 pages tried/);
      expect(provider.asked.length).toBeGreaterThan(0);
      await provider.close();
    });

    it('is not there: search_failed, with what was tried', async () => {
      const closed = await fixedEndpoint(() => ({ status: 200, body: '{}' }));
      await closed.close();
      await stand.replaceWorkers({ RELAY_SEARCH: `searxng:${closed.url}` });
      const { record, message } = await failed();
      expect(record).toMatchObject({
        status: 'failed',
        error: { code: 'search_failed' },
      });
      expect(message).toMatch(
        /0 of them answered: searxng unreachable \(\d\)\. 0 pages/,
      );
    });

    it('is not there is made up for by the documents of the caller', async () => {
      const documents = [
        {
          title: 'Notes',
          text: 'Kimchi was winter food. The history of kimchi began in jars.',
        },
      ];
      const { body } = await client.research({
        research_question: KIMCHI,
        engine: 'agent',
        documents,
      });
      expect(body).toMatchObject({ status: 'completed' });
      expect(body.output_text).toContain('Kimchi was winter food.');
      expect(body.citations[0]).toMatchObject({ verdict: 'quote_matched' });
    });
  });

  it('with a search that finds nothing because its engines are blocked: search_failed', async () => {
    await stand.replaceWorkers();
    await stand.fault({ kind: 'blocked_engines', count: 0 });
    const { message, code } = await failed({
      research_question: 'What do blocked engines say of sourdough?',
    });
    expect(code).toBe('search_failed');
    expect(message).toMatch(/searxng blocked/);
  });

  describe('with a search that', () => {
    // One that has failed is not asked for a while.
    beforeAll(() => stand.replaceWorkers());

    it.each([
      ['English', 'What is the airspeed of an unladen swallow?'],
      ['Korean', '양자 얽힘의 측정 한계를 알려줘'],
      ['another language', 'Quelle est la capitale du Burkina Faso ?'],
    ])(
      'knows nothing of a question in %s: nothing_found',
      async (_, question) => {
        await stand.fault({ kind: 'no_results', count: 0 });
        const { record, message, code } = await failed({
          research_question: question,
        });
        expect(record.status).toBe('failed');
        expect(code).toBe('nothing_found');
        expect(message).toMatch(/(\d+) searches, \1 of them answered. 0 pages/);
        expect(record.sources).toEqual([]);
      },
    );

    it('has some of its engines blocked goes on with the others', async () => {
      await stand.fault({ kind: 'blocked_engines', partly: true, count: 0 });
      const { body } = await client.research({
        research_question: 'How do webhooks work?',
        engine: 'agent',
      });
      expect(body).toMatchObject({ status: 'completed' });
      expectCitations(body);
    });
  });

  describe('with pages that', () => {
    let provider: Awaited<ReturnType<typeof fixedEndpoint>>;
    let url: string;

    beforeAll(async () => {
      provider = await fixedEndpoint(() => {
        const results = [{ url, title: 'Kimchi', content: 'Kimchi' }];
        const body = json({ results, unresponsive_engines: [] });
        return { status: 200, body };
      });
      await stand.replaceWorkers({ RELAY_SEARCH: `searxng:${provider.url}` });
    });
    afterAll(() => provider.close());

    it.each([
      ['are forbidden', '/pages/disallowed/en/kimchi', 'robots'],
      ['need a login', '/pages/hostile/unauthorized/en/kimchi', 'http_error'],
      ['fail', '/pages/hostile/error/en/kimchi', 'http_error'],
      ['are empty', '/pages/hostile/empty/en/kimchi', 'empty'],
      [
        'lead to a metadata service',
        '/pages/hostile/redirect-private/en/kimchi',
        'address_refused',
      ],
      [
        'lead in circles',
        '/pages/hostile/redirect-loop/en/kimchi',
        'http_error',
      ],
      ['have no end', '/pages/hostile/endless/en/kimchi', 'too_large'],
      ['are a bomb', '/pages/hostile/bomb/en/kimchi', 'too_large'],
      ['are no text', '/pages/hostile/binary/en/kimchi', 'unsupported_type'],
    ])('%s: nothing_found, with the reason', async (name, path, fault) => {
      url = stand.sandbox.url + path;
      // Results are kept by query.
      const research_question = `What is kimchi if pages ${name}?`;
      const { record, message, code } = await failed({ research_question });
      expect(record.status).toBe('failed');
      expect(code).toBe('nothing_found');
      expect(message).toMatch(
        new RegExp(`1 pages tried, 0 read: ${fault} \\(1\\)`),
      );
      expect(record.sources).toEqual([]);
    });
  });

  describe('with a model that', () => {
    beforeAll(() => stand.replaceWorkers());

    it.each([
      ['refuses the key', { status: 401 }, 'upstream_unauthorized'],
      ['answers HTML', { status: 200, body: 'html' }, ''],
    ])('%s: it ends clearly', async (_, fault, expected) => {
      await stand.fault({
        kind: 'status',
        message: SECRET_TEXT,
        match: { body: 'research_scope' },
        count: 0,
        ...fault,
      });
      const { record, code } = await failed();
      expect(record.status).toBe('failed');
      expect(code).toMatch(expected);
      expect(code).not.toBe('internal_error');
    });
  });
});
