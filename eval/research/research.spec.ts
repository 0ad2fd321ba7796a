import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../sandbox/testing/sandbox-under-test';
import { loadConfig } from '../../src/config/load-config';
import { secretsOf } from '../trace';
import { CORPUS, readCorpus, sectionsOf } from './corpus';
import { Endpoint } from './endpoint';
import { evaluate, type Plan } from './evaluate';
import { toMarkdown, unanswered } from './figures';
import { ModelRecorder, ModelReplay } from './model.trace';
import { answers, readQuestions, some } from './questions';
import { has } from './score';
import { Site } from './site';

const KEY = 'sk-an-unused-key';

describe('the questions', () => {
  const questions = readQuestions();
  const pages = readCorpus();
  const texts = new Map(
    pages.map((page) => [
      page.path,
      sectionsOf(page)
        .map((section) => `${section.title} ${section.text}`)
        .join('\n'),
    ]),
  );

  it('are at least a hundred, each once, some of them in Korean', () => {
    const ids = questions.map(({ id }) => id);
    const asked = questions.map(({ question }) => question);
    expect(new Set(ids).size).toBe(questions.length);
    expect(new Set(asked).size).toBe(questions.length);
    expect(questions.length).toBeGreaterThanOrEqual(100);
    const korean = questions.filter(({ language }) => language === 'ko');
    expect(korean.length).toBeGreaterThanOrEqual(20);
    for (const { question } of korean) expect(question).toMatch(/[가-힣]/);
  });

  it('have their facts on their page, and their answer in one of these', () => {
    for (const question of questions) {
      const text = texts.get(question.page) ?? '';
      for (const fact of question.facts)
        expect([question.id, has(text, fact)]).toEqual([question.id, true]);
      const given = question.facts.some((fact) => answers(question, fact));
      expect([question.id, given]).toEqual([question.id, true]);
      expect([question.id, answers(question, question.question)]).toEqual([
        question.id,
        false,
      ]);
    }
  });

  it('come from a corpus of less than 3 MB that names its licences', () => {
    const folders = new Set(pages.map(({ path }) => path.split('/')[0]));
    const readme = readFileSync(join(CORPUS, 'README.md'), 'utf8');
    for (const folder of folders) {
      expect(statSync(join(CORPUS, folder, 'copyright')).size).toBeGreaterThan(
        500,
      );
      expect(readme).toContain(`\`${folder}\``);
    }
    const bytes = pages.map(
      ({ path }) => statSync(join(CORPUS, `${path}.gz`)).size,
    );
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(3_000_000);
    expect(pages.flatMap(sectionsOf).length).toBeGreaterThan(pages.length);
  });
});

describe('an evaluation of research', () => {
  let sandbox: SandboxUnderTest;
  let endpoint: Endpoint;
  let site: Site;
  const config = () =>
    loadConfig({ LITELLM_BASE_URL: sandbox.url, LITELLM_API_KEY: KEY });
  const plan = (more: Partial<Plan> = {}): Plan => ({
    models: ['sandbox-plain'],
    questions: some(readQuestions(), 1),
    depth: 'quick',
    verify: 'check',
    maxCalls: Infinity,
    ...more,
  });
  const countsOf = async (more: Partial<Plan>) => {
    const { rows } = await evaluate(plan(more), endpoint, config(), site);
    return rows[0].counts;
  };

  beforeAll(async () => {
    sandbox = await sandboxUnderTest();
    endpoint = new Endpoint(config());
    site = await Site.start();
  });
  afterAll(async () => {
    await site.close();
    await endpoint.close();
    await sandbox.close();
  });

  it('has the same figures twice, and from its trace, which contains no key and no host of the endpoint', async () => {
    const models = ['sandbox-plain', 'sandbox-plain-invents-url'];
    const both = plan({ models });
    const secrets = secretsOf(sandbox.url, KEY);
    const recorder = new ModelRecorder(endpoint, secrets);
    const first = await evaluate(both, endpoint, config(), site);
    const recorded = await evaluate(both, recorder, config(), site);
    const replay = new ModelReplay(recorder.text);
    const replayed = await evaluate(both, replay, config(), site);
    expect(first.cut).toBe(false);
    expect(recorded).toEqual(first);
    expect(replayed).toEqual(first);
    expect(recorder.text).not.toMatch(
      /127\.0\.0\.1|an-unused-key|invented\.example/,
    );
    expect(recorder.text).toContain('https://redacted.invalid/report-2031');
    await expect(
      evaluate(plan({ depth: 'standard' }), replay, config(), site),
    ).rejects.toThrow('record it again');
  }, 180_000);

  it('finds the answers with a model that copies, and counts nothing against it', async () => {
    const counts = await countsOf({});
    expect(counts).toMatchObject({
      questions: 1,
      answered: 1,
      noted: 1,
      false: 0,
      inventedUrls: 0,
      alteredNumbers: 0,
      unwritten: 0,
      repeated: 0,
    });
    expect(counts.sentences).toBeGreaterThan(10);
    expect(counts.lost).toBeLessThan(counts.honest / 20);
  });

  it('loses no paraphrase to rules, which leave them to a model, and next to none with one', async () => {
    const models = ['sandbox-plain-paraphrases'];
    const byRules = await countsOf({ models, verify: 'rules' });
    expect(byRules.lost).toBeGreaterThan(byRules.honest / 4);
    expect(byRules.unchecked).toBe(byRules.lost);
    const judged = await countsOf({ models, verify: 'enforce' });
    expect(judged).toMatchObject({ false: 0, alteredNumbers: 0, unchecked: 0 });
    expect(judged.lost).toBeLessThan(judged.honest / 50);
  });

  it.each(['sandbox-plain-alters-number', 'sandbox-plain-drops-negation'])(
    'lets nothing hold that %s has changed',
    async (model) => {
      const counts = await countsOf({ models: [model] });
      expect(counts).toMatchObject({ alteredNumbers: 0, false: 0 });
    },
  );

  it('shows what a run makes of hits of one page that are not recognised as such', async () => {
    expect((await countsOf({})).repeated).toBe(0);
    const open = await countsOf({ without: 'dedupe' });
    expect(open.repeated).toBeGreaterThan(0);
  });

  it('ends at the limit of calls with what it has, and names what was not found', async () => {
    const { rows, cut } = await evaluate(
      plan({ maxCalls: 12, questions: some(readQuestions(), 2) }),
      endpoint,
      config(),
      site,
    );
    expect(cut).toBe(true);
    expect(rows.map(({ counts }) => counts.questions)).toEqual([1]);
    expect(toMarkdown(rows).split('\n')).toHaveLength(3);
    const { counts, runs } = rows[0];
    const id = Object.keys(runs)[0];
    const missed = { ...runs[id], answered: 0, noted: 0 };
    expect(
      unanswered([{ model: 'a', counts, runs: { [id]: missed } }]),
    ).toEqual([`a ${id}: not noted`]);
  });
});
