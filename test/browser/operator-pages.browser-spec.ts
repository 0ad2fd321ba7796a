import { createHash } from 'node:crypto';
import { Browser } from '../support/browser/browser';
import type { Language, Page } from '../support/browser/page';
import { Service } from '../support/processes/service';
import { Stand } from '../support/processes/stand';

const KEY = 'the-key-of-alice';
const HASH = createHash('sha256').update(KEY).digest('hex');
const ABOUT = 'Deep research as a dependable REST service.';

/** On the buttons of the dashboard, which speaks the language of the browser. */
const WORDS = {
  en: { remove: /clean|remove|delete/i, retry: /retry/i },
  ko: { remove: /정리|제거|삭제/, retry: /재시도|다시/ },
} as const;

describe.each<Language>(['en', 'ko'])(
  'the pages of an operator (%s)',
  (language) => {
    const w = WORDS[language];
    let stand: Stand;
    let withKeys: Service;
    let browser: Browser;

    beforeAll(async () => {
      stand = await Stand.start({ researchMs: 50 });
      withKeys = await stand.addApi({ RELAY_API_KEYS: `alice:${HASH}` });
      browser = await Browser.launch();
    });
    afterEach(() => browser?.clear());
    afterAll(async () => {
      await browser?.close();
      await stand?.stop();
    });

    const signIn = async (page: Page, key: string) => {
      await page.fill('textbox', 'API key', key);
      await page.click('button', 'Show the API');
    };
    const expectLocal = (page: Page, url: string) =>
      expect(
        page.urls.filter(
          (one) => !one.startsWith(url) && !one.startsWith('data:'),
        ),
      ).toEqual([]);

    it('show the API to whoever has a key, which is in no URL', async () => {
      const page = await browser.open(`${withKeys.url}/docs`, { language });
      await page.problem(/\/docs: 401$/);
      await signIn(page, 'not-a-key');
      await page.sees('This key is not valid.');
      await page.problem(/^GET \/openapi.json: 401$/);
      await signIn(page, KEY);
      await page.sees(ABOUT);
      await page.sees('/api/v1/tool-invocations');
      expectLocal(page, withKeys.url);
      expect(page.urls.filter((one) => one.includes(KEY))).toEqual([]);
      expect(withKeys.output).not.toContain(KEY);
      expect(page.problems()).toEqual([]);
    });

    it('show the queues with nothing from elsewhere, and no retry of a run', async () => {
      await stand.fault({ kind: 'failed', count: 1 });
      const run = await stand.client().submit();
      expect((await run.wait()).status).toBe('failed');
      await stand.clearFaults();
      const { url } = stand.apis[0];
      const page = await browser.open(`${url}/admin/queues`, { language });
      await page.sees('research');
      await page.tab.goto(`${url}/admin/queues/queue/research?status=failed`);
      await page.sees(run.id);
      const labels = await page.run<string>(
        '[...document.querySelectorAll("button, a")].map((one) => one.title + one.ariaLabel + one.innerText).join("\\n")',
      );
      expect(labels).toMatch(w.remove);
      expect(labels).not.toMatch(w.retry);
      expectLocal(page, url);
      expect(page.problems()).toEqual([]);
    });
  },
);
