import { ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Language, Page } from '../support/browser/page';
import { waitForEnd } from '../support/event-log';
import { until } from '../support/until';

const QUESTIONS = {
  en: 'What is the history of kimchi, and how is it made?',
  ko: '김치의 역사는 어떠하고, 어떻게 만드는가?',
} as const;
const SECTIONS = ['Alpha', 'Beta', 'Gamma'];
const LINES = Array(20).fill('A line of it.').join('\n\n');
/** The section that an address names is at the top of the window, or the page is at its end. */
const isAt = (anchor: string) =>
  `(() => { const top = document.getElementById('${anchor}')?.getBoundingClientRect().top;
    return top !== undefined && top > -50 && top < innerHeight; })()`;

describe.each<Language>(['en', 'ko'])(
  'a report that is read in the console (%s)',
  (language) => {
    const w = CONSOLE_WORDS[language];
    let world: ConsoleStand;
    let id: string;

    beforeAll(async () => {
      world = await ConsoleStand.start();
      const run = await world.stand.client().submit({
        research_question: QUESTIONS[language],
        deliverable_format: 'markdown_report',
      });
      await waitForEnd(run);
      id = run.id;
      // The sandbox writes few sections.
      const { redis } = world.stand;
      const key = `sonde:{${id}}:text`;
      const written = String(await redis.call('GET', key));
      const more = SECTIONS.map((one) => `\n\n## ${one}\n\n${LINES}`);
      await redis.call('SET', key, written + more.join(''));
    });
    afterEach(() => world.browser.clear());
    afterAll(() => world?.stop());

    const open = async (rest = ''): Promise<Page> => {
      const page = await world.open(`#/read/${id}${rest}`, { language });
      await page.sees(w.sources);
      return page;
    };

    it('has contents, whose links are addresses of its sections', async () => {
      const page = await open();
      const titles = await page.run<string[]>(
        "[...document.querySelectorAll('.contents a')].map((one) => one.innerText)",
      );
      expect(titles.slice(-3)).toEqual(SECTIONS);
      await page.click('link', 'Beta');
      await page.tab.waitForFunction("location.hash.split('/').length === 4");
      const anchor = await page.run<string>("location.hash.split('/')[3]");
      await page.tab.waitForFunction(isAt(anchor));
      const other = await open(`/${anchor}`);
      await other.tab.waitForFunction(isAt(anchor));
      expect([...page.problems(), ...other.problems()]).toEqual([]);
    });

    // Its record is asked for, and by the second screen its events too.
    it.each([
      ['read', 1],
      ['watch', 2],
    ])('that is not there (%s) has ways out', async (screen, refusals) => {
      const unknown = `inv_${'0'.repeat(32)}`;
      const page = await world.open(`#/${screen}/${unknown}`, { language });
      for (let n = 0; n < refusals; n += 1) await page.problem(/404/);
      await page.sees(w.noRun);
      await page.screenshot(`${screen}-not-found`);
      expect(await page.accessibilityFaults()).toEqual([]);
      await page.find('link', w.toStart);
      await page.click('link', w.toHistory);
      await page.find('heading', w.history);
      expect(page.problems()).toEqual([]);
    });

    it('names each page once, with a link and the numbers that cite it', async () => {
      const page = await open();
      const pages = await page.run<{ href: string; numbers: number }[]>(
        `[...document.querySelectorAll('aside.sources ol li')].map((one) => ({
          href: one.querySelector('a')?.href, numbers: one.querySelectorAll('button').length }))`,
      );
      const hrefs = pages.map(({ href }) => href);
      expect(hrefs.every((one) => /^https?:/.test(one))).toBe(true);
      expect(new Set(hrefs).size).toBe(hrefs.length);
      expect(Math.max(...pages.map(({ numbers }) => numbers))).toBeGreaterThan(
        1,
      );
      await page.run(
        "document.querySelector('aside.sources ol button').click()",
      );
      await page.tab.waitForSelector('[role=dialog]');
      expect(page.problems()).toEqual([]);
    });

    it('is copied as Markdown with its sources; where the clipboard is denied the text is selected', async () => {
      const page = await open();
      await page.run(
        'navigator.clipboard.writeText = (text) => { document.body.dataset.copied = text; return Promise.resolve(); }',
      );
      await page.click('button', w.copy);
      await page.sees(w.copied);
      const copied = await page.run<string>('document.body.dataset.copied');
      expect(copied).toContain('[^1]: [');
      expect(copied).toContain('](<http');
      await page.run(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))",
      );
      await page.click('button', w.copyLink);
      await until('the link to be selected', async (saw) =>
        saw(await page.run<string>('getSelection().toString()')).endsWith(
          `#/read/${id}`,
        ),
      );
      expect(await page.accessibilityFaults()).toEqual([]);
      expect(page.problems()).toEqual([]);
    });

    it('says until when it is there, is kept, and let go', async () => {
      const page = await open();
      await page.sees(w.until);
      await page.click('button', w.keep);
      await page.sees(w.kept);
      await page.tab.reload();
      await page.sees(w.kept);
      await page.click('button', w.letGo);
      await page.loses(w.kept);
      await page.sees(w.until);
      expect(page.problems()).toEqual([]);
    });

    it('names itself and how it ended in the title of the tab', async () => {
      const page = await open();
      expect(await page.run('document.title')).toMatch(
        new RegExp(`^${w.completed}: .+ · Sonde$`),
      );
      expect(page.problems()).toEqual([]);
    });

    it('is said to wait for a worker where there is none', async () => {
      await world.stand.killWorkers();
      try {
        const run = await world.stand
          .client()
          .submit({ research_question: QUESTIONS[language] });
        const page = await world.open(`#/watch/${run.id}`, { language });
        await page.sees(w.noWorker);
        expect(page.problems()).toEqual([]);
        await run.cancel();
      } finally {
        await world.stand.addWorker();
      }
    });

    it('is announced by the title of its tab while another is looked at', async () => {
      await world.hold('research_outline');
      const run = await world.stand
        .client()
        .submit({ research_question: QUESTIONS[language] });
      const session = await world.browser.session();
      const page = await session.open(`${world.url}/#/watch/${run.id}`, {
        language,
      });
      const titled = (pattern: RegExp) =>
        until('the title of the tab', async (saw) =>
          pattern.test(saw(await page.run<string>('document.title'))),
        );
      await titled(new RegExp(`^\\d+/\\d+ ${w.working}: `));
      const other = await session.open('about:blank');
      await other.tab.bringToFront();
      await world.stand.clearFaults();
      await titled(new RegExp(`^${w.completed}: `));
      expect(page.problems()).toEqual([]);
    });
  },
);
