import { Browser } from '../support/browser/browser';
import type { Language, Page } from '../support/browser/page';
import { BackgroundChat } from '../support/chat/background-chat';
import type { Invocation } from '../support/client';
import { waitForEnd } from '../support/event-log';
import { Stand } from '../support/processes/stand';

const WORDS = {
  en: {
    citation: '1, citation, A number differs from the source',
    dialog: '1, citation',
    checked: 'Compared as text',
    message: 'Message',
    rows: 'Show 19800 more rows',
    tooLarge: 'The report is too large to be laid out',
  },
  ko: {
    citation: '1, 인용, 숫자가 원문과 다름',
    dialog: '1, 인용',
    checked: '글자 비교',
    message: '메시지',
    rows: '19800행 더 보기',
    tooLarge: '보고서가 너무 커서',
  },
} as const;
const HOSTILE = [
  'A marked sentence. <script>alert(1)</script><img src=x onerror=alert(1)>',
  '[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) [d](vbscript:x) [e](https://user:pw@evil.example)',
  '![pixel](https://evil.example/pixel.png) ![](data:image/png;base64,AAAA)',
  '[f](<https://b.example/"onmouseover="alert(1)>) <https://c.example/>',
  '<iframe src="https://evil.example"></iframe><svg onload=alert(1)>',
  '```"><script>\n</code></pre><script>alert(1)</script>\n```',
  `A word of ${'x'.repeat(500)}`,
  `| ${'wide | '.repeat(40)}\n|${'---|'.repeat(40)}\n| ${'cell | '.repeat(40)}`,
].join('\n\n');
const CITATION = {
  url: 'javascript:alert(2)',
  title: '</title><script>alert(3)</script>',
  start_index: 0,
  end_index: 18,
  quote: '"><svg onload=alert(4)>',
  verdict: 'number_differs',
  checked_by: 'text',
  detail: '<img src=x onerror=alert(5)>',
};
/** What must be nowhere in the page, whatever the text of a model is. */
const ACTIVE = `[...document.querySelectorAll('main *')]
  .filter((one) => /^(script|img|svg|iframe|object|embed|form|base|link|style|meta)$/.test(one.localName)
    && !one.classList.contains('follow') && !one.classList.contains('composer')
    || one.getAttributeNames().some((name) => /^on|^style$|^src/.test(name)))
  .map((one) => one.outerHTML)`;
const LINKS = `[...document.querySelectorAll('main .report a')].map((one) => [one.href, one.rel])`;

describe.each<Language>(['en', 'ko'])(
  'a hostile text of a model in the console (%s)',
  (language) => {
    const w = WORDS[language];
    let stand: Stand;
    let browser: Browser;
    let run: Invocation;

    beforeAll(async () => {
      stand = await Stand.start({ researchMs: 50 });
      run = await stand.client().submit();
      await waitForEnd(run);
      browser = await Browser.launch();
    });
    afterEach(() => browser?.clear());
    afterAll(async () => {
      await browser?.close();
      await stand?.stop();
    });

    /** Opens the run as if its report were this. */
    const openReport = async (text: string, citations: object[] = []) => {
      const { redis } = stand;
      await redis.call('SET', `sonde:{${run.id}}:text`, text);
      const record = `sonde:{${run.id}}:record`;
      await redis.call('HSET', record, 'citations', JSON.stringify(citations));
      return browser.open(`${stand.apis[0].url}/#/read/${run.id}`, {
        language,
        width: 360,
      });
    };
    const expectHarmless = async (page: Page) => {
      expect(await page.run(ACTIVE)).toEqual([]);
      const rel = 'noopener noreferrer nofollow';
      expect(await page.run(LINKS)).toEqual([
        ['https://evil.example/pixel.png', rel],
        ['https://b.example/%22onmouseover=%22alert%281%29', rel],
        ['https://c.example/', rel],
      ]);
      const { origin } = new URL(page.tab.url());
      expect(page.urls.filter((one) => !one.startsWith(origin))).toEqual([]);
      expect(await page.tooWide()).toEqual([]);
      expect(await page.accessibilityFaults()).toEqual([]);
      expect(page.problems()).toEqual([]);
    };

    it('is shown as text in a report: nothing of it runs, is loaded, or leads to a script', async () => {
      const page = await openReport(HOSTILE, [CITATION]);
      await page.sees('<script>alert(1)</script>');
      await page.screenshot('hostile');
      await expectHarmless(page);
      await page.click('button', w.citation);
      const card = await page.find('dialog', w.dialog);
      const shown = await card.evaluate((one) => one.textContent);
      for (const words of [CITATION.quote, CITATION.detail, w.checked])
        expect(shown).toContain(words);
      expect(await card.$$('a')).toEqual([]);
      await expectHarmless(page);
    });

    it('is shown as text in a chat', async () => {
      const message = `[sandbox: answer ${JSON.stringify(HOSTILE)}]`;
      const chat = await BackgroundChat.begin(stand.client(), { message });
      await chat.wait();
      const page = await browser.open(
        `${stand.apis[0].url}/#/chat/${chat.id}`,
        {
          language,
          width: 360,
        },
      );
      await page.sees('<script>alert(1)</script>');
      await page.find('textbox', w.message);
      await expectHarmless(page);
    });

    it('shows the rows of a long table step by step', async () => {
      const rows = Array.from(
        { length: 20_000 },
        (_, n) => `| row ${n} | ${'text '.repeat(8)}|`,
      );
      const page = await openReport(`| a | b |\n|---|---|\n${rows.join('\n')}`);
      await page.sees('row 199');
      const count = "document.querySelectorAll('tbody tr').length";
      expect(await page.run(count)).toBe(200);
      await page.click('button', w.rows);
      await page.sees('row 399');
      expect(await page.run(count)).toBe(400);
      expect(page.problems()).toEqual([]);
    });

    it('is plain text where it is too large to be laid out', async () => {
      const page = await openReport(
        '| a table without an end '.repeat(200_000),
      );
      await page.sees(w.tooLarge);
      await page.sees('a table without an end');
      expect(await page.tooWide()).toEqual([]);
      await page.problem(
        /^GET \/api\/v1\/tool-invocations\/\w+\/report\?format=json: \d+$/,
      );
      expect(page.problems()).toEqual([]);
    });
  },
);
