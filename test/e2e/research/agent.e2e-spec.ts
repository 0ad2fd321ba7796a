import { all, type Client, joined } from '../../support/client';
import {
  type AgentRecord,
  citedSentence,
  expectCitations,
  isOnPage,
} from '../../support/agent/agent-report';
import { expectCompleteLog, waitForEnd } from '../../support/event-log';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';

const KIMCHI = 'What is the history of kimchi, and how is it made?';
const AGENT = { engine: 'agent' };

const labels = ({ citations }: AgentRecord) => [
  ...new Set(citations.map(({ verdict }) => verdict)),
];

describe('research by the agent', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      searchesSandbox: true,
      env: { LITELLM_MODEL: 'sandbox-plain' },
    });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const research = async (args: object) => {
    const question = { research_question: KIMCHI, ...AGENT, ...args };
    return (await client.research(question)).body;
  };

  describe.each([
    ['English', KIMCHI, 'en'],
    ['English with emoji', 'Compare haenyeo and kimchi 🥬🌊 of Korea', 'en'],
    ['Korean', '김치와 김장의 역사를 자세히 알려줘 🥬', 'ko'],
    ['Korean from EUC-KR pages', '제주 해녀의 역사와 수를 알려줘', 'ko'],
  ])('of a question in %s', (_, research_question, language) => {
    it('is a report whose every citation selects its link, with quote, source and verdict', async () => {
      const invocation = await client.submit({ research_question, ...AGENT });
      const frames = await all(invocation.follow());
      const record = await invocation.read();
      expect(record).toMatchObject({
        status: 'completed',
        error: null,
        engine: 'agent',
        model: 'sandbox-plain',
        limits_reached: [],
        upstream_response_id: null,
        response: null,
        steps: { repeated: 0, skipped: 0, ambiguous: [] },
      });
      expectCompleteLog(frames, record);
      expectCitations(record);
      expect(labels(record)).toEqual(['quote_matched']);
      for (const citation of record.citations) {
        expect(isOnPage(citation.url, citation.quote)).toBe(true);
        expect(isOnPage(citation.url, citedSentence(record, citation))).toBe(
          true,
        );
        expect(citation.url).toMatch(`${stand.sandbox.url}/pages/${language}/`);
      }
    });

    it('reports what it did: steps, usage, progress, and pages that were opened', async () => {
      const invocation = await client.submit({ research_question, ...AGENT });
      const frames = await all(invocation.follow());
      const record = await invocation.read();
      const done = frames
        .filter(({ event }) => event === 'progress')
        .map(({ data }) => data.data);
      const count = (kind: string) =>
        done.filter((one) => one.kind === kind).length;
      expect(record.progress).toMatchObject({
        searches: count('web_search'),
        pages_opened: count('open_page'),
      });
      const { usage, steps, sources, progress } = record;
      expect(progress.searches).toBeGreaterThan(0);
      expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens);
      expect(usage.output_tokens).toBeGreaterThan(0);
      expect(usage.tool_calls).toBe(progress.searches + progress.pages_opened);
      expect(steps.settled).toBeGreaterThan(done.length);
      const opened = done
        .filter(({ kind }) => kind === 'open_page')
        .map(({ detail }) => String(detail));
      const listed: string[] = sources.map(({ url }: { url: string }) => url);
      expect(listed.toSorted()).toEqual(opened.toSorted());
      const { requests } = await stand.stats();
      const fetched = requests.map(({ path }) => stand.sandbox.url + path);
      expect(fetched).toEqual(expect.arrayContaining(listed));
    });
  });

  it('answers alike in the foreground, in the background and as a stream', async () => {
    const plain = await research({});
    const background = await waitForEnd(
      await client.submit({ research_question: KIMCHI, ...AGENT }),
    );
    const streamed = await client.submit({
      research_question: KIMCHI,
      ...AGENT,
      background: false,
      stream: true,
    });
    const text = joined(await all(streamed.follow()));
    expect(plain).toMatchObject({ status: 'completed', engine: 'agent' });
    expect(background).toMatchObject({ mode: 'background', output_text: text });
    expect(plain.output_text).toBe(text);
    expect(plain.citations).toEqual(background.citations);
  });

  describe('with the wishes of the caller', () => {
    it('cites documents that the caller sends without a link, and never searches with their words', async () => {
      const text =
        'Kimchi of the Zanzibar archive was fermented for 417 days in clay pots. Its makers were seven sisters.';
      const record = await research({
        // Not a query of an earlier test: those are cached.
        research_question: 'How is kimchi made, and what are its kinds?',
        documents: [{ title: 'Zanzibar archive', text }],
      });
      expect(record).toMatchObject({ status: 'completed', engine: 'agent' });
      const own = (record as AgentRecord).citations.filter(
        ({ url }) => !url.startsWith('http'),
      );
      expect(own.map(({ verdict }) => verdict)).toContain('quote_matched');
      const points = Array.from(record.output_text as string);
      for (const { url, quote, start_index, end_index } of own) {
        expect(url).toBe('document:1');
        expect(text).toContain(quote);
        const mark = points.slice(start_index, end_index).join('');
        expect(record.output_text).toContain(`\n- ${mark} Zanzibar archive, `);
        expect(record.output_text).not.toContain(`\n${mark}: `);
      }
      const queries = (await stand.stats()).requests
        .filter(({ path }) => path === '/search')
        .map(({ query }) => query);
      expect(queries.length).toBeGreaterThan(0);
      expect(queries.join()).not.toMatch(/Zanzibar|417|clay/);
    });

    it('writes a JSON outline whose citations select within its text', async () => {
      const record = await research({ deliverable_format: 'json_outline' });
      expect(JSON.parse(record.output_text)).toEqual({
        title: expect.stringMatching(/\S/),
        sections: expect.arrayContaining([
          {
            heading: expect.any(String),
            points: expect.arrayContaining([expect.stringMatching(/\S/)]),
          },
        ]),
      });
      const points = Array.from((record as AgentRecord).output_text);
      for (const one of (record as AgentRecord).citations) {
        const link = points.slice(one.start_index, one.end_index).join('');
        expect(link).toContain(`](${one.url}))`);
      }
      expect(labels(record)).toEqual(['quote_matched']);
    });

    it('fills a JSON schema, with its sources beside it', async () => {
      const schema = {
        type: 'object',
        properties: {
          summary: { type: 'string' },
          facts: { type: 'array', items: { type: 'string' } },
        },
        required: ['summary', 'facts'],
        additionalProperties: false,
      };
      const text_format = { type: 'json_schema', name: 'facts', schema };
      const record = await research({ text_format });
      expect(record).toMatchObject({ status: 'completed', engine: 'agent' });
      expect(JSON.parse(record.output_text)).toEqual({
        summary: expect.stringMatching(/\S/),
        facts: expect.any(Array),
      });
      const length = Array.from(record.output_text as string).length;
      expect(record.citations.length).toBeGreaterThan(0);
      for (const citation of record.citations)
        expect(citation).toMatchObject({ start_index: 0, end_index: length });
    });

    it('writes a report with a title, and without links where citations are not wanted', async () => {
      const record = await research({
        deliverable_format: 'markdown_report',
        require_citations: false,
      });
      expect(record.output_text).toMatch(/^# \S/);
      expect(record.output_text).not.toMatch(/\]\(|https?:/);
      expect(record.citations.length).toBeGreaterThan(0);
      expect(record.sources.length).toBeGreaterThan(0);
    });

    it.each([
      ['off', [undefined]],
      ['rules', ['quote_matched']],
      ['check', ['quote_matched']],
      ['enforce', ['quote_matched']],
    ])('labels with verify %s: %j', async (verify, expected) => {
      expect(labels(await research({ verify }))).toEqual(expected);
    });

    it('goes further with more depth', async () => {
      const [quick, standard] = await Promise.all(
        ['quick', 'standard'].map((depth) =>
          research({
            research_question: 'Compare haenyeo, kimchi, hangul and sourdough',
            depth,
          }),
        ),
      );
      expect(quick).toMatchObject({ status: 'completed' });
      expect(standard).toMatchObject({ status: 'completed' });
      expect(quick.progress.searches).toBeLessThanOrEqual(2);
      expect(quick.progress.pages_opened).toBeLessThanOrEqual(4);
      expect(standard.progress.searches).toBeGreaterThan(
        quick.progress.searches as number,
      );
    });

    it.each([
      ['max_pages', 1, 'pages_opened'],
      ['max_searches', 1, 'searches'],
    ])('keeps to %s: %d, and says so', async (limit, value, counted) => {
      const record = await research({
        research_question: 'Compare haenyeo, kimchi, hangul and sourdough',
        depth: 'standard',
        budget: { [limit]: value },
      });
      expect(record).toMatchObject({
        status: 'completed',
        limits_reached: [limit],
        progress: { [counted]: value },
      });
      expectCitations(record);
    });

    it.each([1_000, 15_000])(
      'refuses %s tokens, with which nothing could be read, before anything is paid, and names the number that suffices',
      async (max_tokens) => {
        const args = {
          research_question: 'kimchi',
          engine: 'agent',
          depth: 'quick',
        };
        const submit = (budget: object) =>
          stand.client().research({ background: true, ...args, budget });
        const refusal = await submit({ max_tokens });
        expectProblem(refusal, { status: 422, code: 'validation_failed' });
        const [{ path, message }] = refusal.body.errors;
        expect(path).toBe('arguments.budget.max_tokens');
        const least = Number(/at least (\d+)/.exec(message)![1]);
        expect(least).toBeLessThanOrEqual(30_000);
        expect((await submit({ max_tokens: least - 1 })).status).toBe(422);
        const record = await research({
          ...args,
          budget: { max_tokens: least },
        });
        expect(record.status).toBe('completed');
        expect(record.usage.total_tokens).toBeLessThanOrEqual(least);
      },
    );
  });
});
