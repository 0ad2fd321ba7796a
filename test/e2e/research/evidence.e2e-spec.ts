import { type Client, type Invocation } from '../../support/client';
import { waitForEnd } from '../../support/event-log';
import { priceFile } from '../../support/price-table';
import { Stand } from '../../support/processes/stand';

const KIMCHI = 'What is the history of kimchi, and how is it made?';
const AGENT = { research_question: KIMCHI, engine: 'agent' };

interface Quote {
  note_id: string;
  quote: string;
  window: string;
}
interface ReadSource {
  number: number;
  url: string;
  title: string;
  quotes: Quote[];
}
interface Citation {
  url: string;
  quote: string;
  source: number;
}

describe('what research has read', () => {
  const prices = priceFile({
    'sandbox-plain': { inputPerMillion: 1, outputPerMillion: 10 },
  });
  let stand: Stand;
  let client: Client;
  let invocation: Invocation;
  // oxlint-disable-next-line typescript/no-explicit-any
  let record: any;

  beforeAll(async () => {
    stand = await Stand.start({
      searchesSandbox: true,
      env: {
        RELAY_AGENT_MODELS: 'writer:sandbox-plain',
        RELAY_PRICES_CONFIG: prices.path,
      },
    });
    client = stand.client();
    invocation = await client.submit({
      ...AGENT,
      budget: { max_cost_usd: 5 },
    });
    record = await waitForEnd(invocation);
  });
  afterAll(async () => {
    prices.remove();
    await stand.stop();
  });

  const read = (path: string, of: Invocation = invocation) =>
    client.get(`${of.path}/${path}`, of.headers);

  it('is listed with the quotes that the report cites by the number of their source', async () => {
    expect(record).toMatchObject({ status: 'completed', engine: 'agent' });
    const { status, body } = await read('sources');
    expect(status).toBe(200);
    const sources = body.data as ReadSource[];
    expect(sources.map(({ number }) => number)).toEqual(
      sources.map((_, at) => at + 1),
    );
    expect(sources.map(({ url }) => url).toSorted()).toEqual(
      record.sources.map(({ url }: { url: string }) => url).toSorted(),
    );
    for (const source of sources) {
      expect(source).toMatchObject({
        fetched_at: expect.stringMatching(/^\d{4}-.*Z$/),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        language: 'en',
      });
      for (const { quote, window } of source.quotes) {
        expect(window).toContain(quote);
        expect(window.length).toBeLessThanOrEqual(1_024);
      }
    }
    expect(record.citations.length).toBeGreaterThan(0);
    for (const { url, quote, source } of record.citations as Citation[]) {
      const cited = sources[source - 1];
      expect(cited.url).toBe(url);
      expect(cited.quotes.map((one) => one.quote)).toContain(quote);
    }
  });

  it('is read one by one', async () => {
    const { body } = await read('sources');
    expect((await read('sources/1')).body).toEqual(body.data[0]);
    for (const number of ['0', '1000', '02', 'x'])
      expect(await read(`sources/${number}`)).toMatchObject({
        status: 404,
        body: { code: 'source_not_found' },
      });
  });

  it('is shown with the plan, the notes, and each sentence with its verdict', async () => {
    const { status, body } = await read('evidence');
    expect(status).toBe(200);
    expect(body.plan.directions.length).toBeGreaterThan(0);
    expect(body.brief).toMatchObject({ language: 'en' });
    expect(body).toMatchObject({ omitted_notes: 0, failed: expect.any(Array) });
    const notes = new Set(body.notes.map(({ note_id }: Quote) => note_id));
    expect(notes.size).toBeGreaterThan(0);
    expect(body.sections.length).toBeGreaterThan(0);
    let matched = 0;
    for (const { sentences } of body.sections)
      for (const { text, note_ids, kind, verdict } of sentences) {
        expect(record.output_text).toContain(text);
        expect(note_ids.every((id: string) => notes.has(id))).toBe(true);
        expect({ kind, verdict }).toEqual({
          kind: 'fact',
          verdict: 'quote_matched',
        });
        matched += 1;
      }
    expect(body.verdicts).toEqual({ quote_matched: matched });
  });

  it('stands beside the model of the run, and its cost at the configured prices', () => {
    const { input_tokens, output_tokens } = record.usage;
    expect(record.model).toBe('sandbox-plain');
    expect(record.cost).toEqual({
      currency: 'USD',
      estimated: expect.any(Number),
      reserved: 0,
      spent: expect.closeTo((input_tokens + 10 * output_tokens) / 1e6, 8),
      source: 'prices',
    });
  });

  it.each(['sources', 'sources/1', 'evidence'])(
    'opens as the record does, and is deleted with it: %s',
    async (path) => {
      const strange = await client.get(`${invocation.path}/${path}`);
      expect(strange.status).toBe((await client.get(invocation.path)).status);
      expect(strange.status).toBeGreaterThanOrEqual(400);
      const other = await client.submit(AGENT);
      await waitForEnd(other);
      expect((await read(path, other)).status).toBe(200);
      await client.request('DELETE', other.path, { headers: other.headers });
      expect((await read(path, other)).body.code).toBe('invocation_not_found');
    },
  );

  it('of the model endpoint is the list of its sources, and no evidence', async () => {
    const hosted = await client.submit({ research_question: KIMCHI });
    const { engine, sources } = await waitForEnd(hosted);
    expect(engine).toBe('hosted');
    expect(sources.length).toBeGreaterThan(0);
    expect((await read('sources', hosted)).body.data).toEqual(
      sources.map((source: object, at: number) => ({
        ...source,
        number: at + 1,
        fetched_at: null,
        sha256: null,
        language: null,
        quotes: [],
      })),
    );
    expect(await read('evidence', hosted)).toMatchObject({
      status: 404,
      body: { code: 'evidence_not_found' },
    });
  });

  it('is limited by a budget only where one can be kept', async () => {
    const budget = { max_pages: 2 };
    const { status, body } = await client.research({
      engine: 'hosted',
      budget,
    });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ path: 'arguments.budget' }]);
  });
});
