import type { Client } from '../../support/client';
import {
  type AgentRecord,
  citedSentence,
  expectCitations,
  isOnPage,
} from '../../support/agent/agent-report';
import { waitForEnd } from '../../support/event-log';
import { Stand } from '../../support/processes/stand';

/** With numbers, negations, and more than one source. */
const QUESTIONS = [
  'Compare haenyeo and kimchi: which entered the UNESCO list, and when?',
  'How do webhooks and Redis queues differ, and what do they not guarantee?',
  '제주 해녀와 김치의 역사를 비교하고 수와 연도를 알려줘',
];
const CHEESE = /cheese|evil\.example/i;

describe('research with a dishonest model', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({ searchesSandbox: true, workers: 0 });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  let current = '';
  const models = async (roles: string) => {
    if (roles === current) return;
    current = roles;
    await stand.replaceWorkers({ RELAY_AGENT_MODELS: roles });
  };
  const research = async (args: object) =>
    waitForEnd(
      await client.submit({ engine: 'agent', depth: 'standard', ...args }),
    );
  const answers = (args: object) =>
    Promise.all(
      QUESTIONS.map((research_question) =>
        research({ research_question, ...args }),
      ),
    );

  describe.each([
    ['invents-url', 'writer:sandbox-plain-invents-url'],
    ['alters-number', 'writer:sandbox-plain-alters-number'],
    ['drops-negation', 'writer:sandbox-plain-drops-negation'],
    ['swaps-sources', 'writer:sandbox-plain-swaps-sources'],
    ['other-language', 'writer:sandbox-plain-other-language'],
    [
      'invents-quote',
      'writer:sandbox-plain,reader:sandbox-plain-invents-quote,critic:sandbox-plain',
    ],
  ])('that %s', (name, roles) => {
    const reports: Record<string, AgentRecord[]> = {};

    beforeAll(async () => {
      await models(roles);
      for (const verify of ['check', 'enforce'])
        reports[verify] = await answers({ verify });
    });

    it.each(['check', 'enforce'])(
      'nothing that is not on the cited page is called quote_matched (%s)',
      (verify) => {
        let matched = 0;
        for (const record of reports[verify]) {
          for (const citation of record.citations ?? []) {
            const { url, quote, verdict } = citation;
            expect(isOnPage(url, quote)).toBe(true);
            const sentence = citedSentence(record, citation);
            const isHonest = isOnPage(url, sentence);
            if (verdict !== 'quote_matched') continue;
            matched += 1;
            expect({ sentence, url, isHonest }).toMatchObject({
              isHonest: true,
            });
          }
          expect(record.output_text ?? '').not.toMatch(/invented|\b4711\b/);
          if (record.citations?.length) expectCitations(record);
        }
        // A report that is empty throughout would hold all of the above.
        const keepsSome = !/invents-quote|other-language/.test(name);
        if (keepsSome && (verify === 'enforce' || name !== 'swaps-sources'))
          expect(matched).toBeGreaterThan(0);
      },
    );

    it('with enforce, no sentence that differs from its page is in the report', () => {
      for (const record of reports.enforce)
        for (const citation of record.citations ?? []) {
          expect(['quote_matched', 'derived']).toContain(citation.verdict);
          expect(citedSentence(record, citation)).not.toMatch(/Selon/);
        }
    });
  });

  it('that invents every quote ends with what was tried', async () => {
    await models(
      'writer:sandbox-plain,reader:sandbox-plain-invents-quote,critic:sandbox-plain',
    );
    expect(await research({ research_question: QUESTIONS[0] })).toMatchObject({
      error: { code: 'nothing_found' },
      error_message: expect.stringMatching(/\d+ pages tried, \d+ read/),
      output_text: null,
    });
  });

  it('that answers no JSON ends clearly, after a bounded number of calls', async () => {
    await models('writer:sandbox-plain-no-json');
    await stand.reset();
    const record = await research({ research_question: QUESTIONS[0] });
    expect(record).toMatchObject({
      status: 'failed',
      engine: 'agent',
      error: { code: 'agent_model_failed' },
      error_message: expect.stringMatching(/role "scope".*refused/),
      output_text: null,
    });
    expect(record.error_message).not.toMatch(/Certainly|sandbox-plain/);
    expect((await stand.requests()).length).toBeLessThanOrEqual(6);
  });

  it('that always wants more ends at the limits of its depth', async () => {
    await models('writer:sandbox-plain-loops');
    await stand.reset();
    const record = await research({ research_question: QUESTIONS[0] });
    expect(record).toMatchObject({ status: 'completed', error: null });
    const asked = (await stand.requests()).filter(({ body }) =>
      JSON.stringify(body).includes('research_gaps'),
    );
    expect(asked.length).toBe(1);
    expect(record.progress.searches).toBeLessThanOrEqual(12);
    const deep = await research({
      research_question: QUESTIONS[0],
      depth: 'deep',
      budget: { max_searches: 2 },
    });
    expect(deep).toMatchObject({
      status: 'completed',
      limits_reached: ['max_searches'],
    });
    expect(deep.progress.searches).toBeLessThanOrEqual(2);
  });

  describe('that obeys pages', () => {
    const PAGES = ['injection', 'hidden', 'data-tags'];
    const texts: Record<string, Record<string, string>> = {};
    /** Each page once, with a model that obeys it and with one that does not. */
    const reports = async (model: string) => {
      await models(`writer:${model}`);
      for (const page of PAGES) {
        await stand.reset();
        await stand.fault({ kind: 'hostile_result', page, count: 0 });
        const record = await research({
          research_question: `What is the history of kimchi? (${page})`,
          verify: 'enforce',
        });
        expect(record).toMatchObject({ status: 'completed' });
        expectCitations(record);
        const { sources } = record as AgentRecord;
        expect(sources.map(({ url }) => url)).toContainEqual(
          expect.stringMatching(`/pages/hostile/${page}/`),
        );
        texts[model] = { ...texts[model], [page]: record.output_text };
      }
    };

    beforeAll(async () => {
      await reports('sandbox-plain-obeys-page');
      await reports('sandbox-plain');
      await stand.reset();
    });

    it.each(PAGES)('writes nothing of what a page orders (%s)', (page) => {
      const obedient = texts['sandbox-plain-obeys-page'][page];
      expect(obedient).not.toMatch(CHEESE);
      expect(obedient).toBe(texts['sandbox-plain'][page]);
    });
  });

  it('that is slow is waited for', async () => {
    await models('writer:sandbox-plain-slow');
    const record = await research({
      research_question: QUESTIONS[0],
      depth: 'quick',
    });
    expect(record).toMatchObject({ status: 'completed' });
    expectCitations(record);
  });
});
