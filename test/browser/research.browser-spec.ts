import { readFileSync } from 'node:fs';
import { ask, ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Language, Page } from '../support/browser/page';
import { READERS } from '../support/report/read.report';
import { until } from '../support/until';

/** In place of the plan. */
const EDITED = {
  en: 'haenyeo diving women',
  ko: '김치 김장 문화',
} as const;
const QUESTIONS = {
  en: 'What is the history of kimchi?',
  ko: '김치의 역사는 어떠한가?',
} as const;

/** Before the question, in the heading of a report of the sandbox. */
const HEADING = { en: '[sandbox]', ko: '[샌드박스]' } as const;

/** The time line gives way to the report. */
const reads = (page: Page) =>
  page.tab.waitForFunction(
    "location.hash.startsWith('#/read/') && document.querySelector('.report')",
  );

describe.each<Language>(['en', 'ko'])(
  'research in the console (%s)',
  (language) => {
    const w = CONSOLE_WORDS[language];
    const question = QUESTIONS[language];
    let world: ConsoleStand;

    beforeAll(async () => {
      world = await ConsoleStand.start();
    });
    afterEach(() => world.stand.reset());
    afterAll(() => world?.stop());

    const openAsk = () => world.open('', { language });

    it('is asked for, watched, read with its quotes, and saved as a file', async () => {
      const page = await openAsk();
      await page.fill('textbox', w.question, question);
      await page.sees(w.estimate);
      await ask(page, question);
      await reads(page);
      await page.click('button', w.citation);
      const card = await page.find(
        'dialog',
        w.citation.split(',').slice(0, 2).join(','),
      );
      expect(await card.evaluate((one) => one.textContent)).toContain(
        w.matches,
      );
      await page.press('Escape');
      for (const [format, name] of [
        ['pdf', w.pdf],
        ['docx', w.docx],
        ['md', w.markdown],
      ] as const) {
        await page.click('button', w.download);
        const file = await page.download('button', name);
        expect(file).toMatch(new RegExp(`\\.${format}$`));
        const read = READERS[format];
        if (read) expect(await read(readFileSync(file))).not.toEqual([]);
      }
      expect(page.problems()).toEqual([]);
    });

    it('waits for an approval of its plan, which can be edited before', async () => {
      const page = await openAsk();
      await page.click('checkbox', w.review);
      await ask(page, question);
      await page.fill('textbox', w.direction, EDITED[language]);
      await page.fill('textbox', w.queries, EDITED[language]);
      await page.click('button', w.approve);
      await reads(page);
      const { body } = await world.stand
        .client()
        .get(`/api/v1/tool-invocations/${page.path.split('/').at(-1)}`, {
          'sec-fetch-site': 'same-origin',
        });
      expect(body.plan).toMatchObject({
        review: 'edited',
        directions: expect.arrayContaining([
          { title: EDITED[language], queries: [EDITED[language]] },
        ]),
      });
      expect(page.problems()).toEqual([]);
    });

    it('ends where its plan is refused', async () => {
      const page = await openAsk();
      await page.click('checkbox', w.review);
      await ask(page, question);
      await page.click('button', w.refuse);
      await page.sees(w.planRefused);
      expect(page.problems()).toEqual([]);
    });

    it('can be cancelled while it goes on', async () => {
      await world.hold('research_outline');
      const page = await openAsk();
      await ask(page, question);
      await page.sees(w.working);
      await page.click('button', w.cancel);
      await page.click('button', w.cancelIt);
      await page.sees(w.cancelled);
      expect(page.problems()).toEqual([]);
    });

    it('is followed up by research that sees the report', async () => {
      const page = await openAsk();
      await ask(page, question);
      await reads(page);
      const first = page.path;
      await page.fill('textbox', w.follow, question);
      await page.click('button', w.ask);
      await page.tab.waitForFunction(
        `/^#\\/read/.test(location.hash) && location.hash !== ${JSON.stringify(first.slice(1))}`,
      );
      await reads(page);
      await page.click('link', w.parent);
      await page.sees(w.followUps);
      expect(page.problems()).toEqual([]);
    });

    it('is listed by a few words, and its page has the whole question', async () => {
      const long = `${question} a b c d e f g h i j k l`;
      const page = await openAsk();
      await ask(page, long);
      await reads(page);
      await page.sees(long);
      await page.click('link', w.history);
      await page.tab.waitForSelector('.entries a');
      const listed = await page.run<string[]>(
        "[...document.querySelectorAll('.entries a')].map((one) => one.innerText)",
      );
      const [latest] = listed;
      expect(latest).toMatch(/ [a-g]…$/);
      expect(latest).toContain(question);
      await page.click('link', latest);
      await page.sees(long);
      expect(page.problems()).toEqual([]);
    });

    it('is found by its question in the history, and deleted there', async () => {
      const page = await openAsk();
      await ask(page, `${question} zebra`);
      await reads(page);
      await page.click('link', w.history);
      await page.fill('searchbox', w.search, 'ZEBRA');
      // Until then the list may be that of before, which goes away with a question that is being asked in it.
      await until('the search', () =>
        page.urls.some((url) => url.includes('ZEBRA')),
      );
      await page.loses(`${question}\n`);
      await page.click(
        'button',
        `${w.delete}: ${HEADING[language]} ${question} zebra`,
      );
      const dialog = await page.tab.waitForSelector('dialog[open] .danger');
      await dialog!.click();
      await page.loses('zebra');
      await page.tab.reload();
      await page.fill('searchbox', w.search, 'zebra');
      await page.sees(w.none);
      expect(page.problems()).toEqual([]);
    });
  },
);
