import { expectSound } from '../support/browser/appearance';
import { Browser } from '../support/browser/browser';
import type { Language, Page } from '../support/browser/page';
import type { Client, Invocation } from '../support/client';
import { keysCommand } from '../support/processes/keys-command';
import { Stand } from '../support/processes/stand';

const HOUR_MS = 3_600_000;
const WORDS = {
  en: {
    key: 'API key',
    signIn: 'Sign in',
    status: 'Status',
    order: 'Order',
    engine: 'Engine',
    age: 'Age',
    ofKey: 'Key',
    none: 'No runs.',
    end: 'End it',
    reason: 'Reason, which the record shows (optional)',
    endIt: 'End the run',
    refresh: 'Refresh',
    cancelled: 'Cancelled',
    byCaller: 'You cancelled it',
    why: 'It holds up the others.',
    hosted: 'Research model of the endpoint',
    seen: ['Attempts', 'Takeovers', 'Purchases', 'Log'],
    noRun: 'There is no such run, or it has expired.',
    all: 'All runs',
    retry: 'Try again',
  },
  ko: {
    key: 'API 키',
    signIn: '로그인',
    status: '상태',
    order: '순서',
    engine: '조사 방법',
    age: '지난 시간',
    ofKey: '키',
    none: '실행이 없습니다.',
    end: '끝내기',
    reason: '기록에 보이는 이유 (선택)',
    endIt: '실행 끝내기',
    refresh: '새로 고침',
    cancelled: '취소됨',
    byCaller: '취소했거나',
    why: '다른 실행을 막고 있습니다.',
    hosted: '엔드포인트의 조사 모델',
    seen: ['시도', '넘겨받은 횟수', '구매', '기록'],
    noRun: '없는 조사이거나 보관 기간이 지났습니다.',
    all: '모든 실행',
    retry: '다시 시도',
  },
} as const;

describe.each<Language>(['en', 'ko'])(
  'the runs of all keys in the console (%s)',
  (language) => {
    const w = WORDS[language];
    let stand: Stand;
    let browser: Browser;
    let root: string;
    let client: Client;
    let first: Invocation;
    let run: Invocation;

    beforeAll(async () => {
      const env = { RELAY_REQUIRE_KEYS: 'true' };
      stand = await Stand.start({ researchMs: HOUR_MS, env });
      const { body } = await keysCommand(
        { REDIS_URL: stand.redis.url, ...env },
        'create',
        'root',
        '--scopes',
        'admin,research,read',
      );
      root = body.key;
      client = stand.client().as(root);
      first = await client.submit();
      await first.cancel();
      run = await client.submit();
      browser = await Browser.launch();
    });
    afterEach(() => browser?.clear());
    afterAll(async () => {
      await browser?.close();
      await stand?.stop();
    });

    const openAt = async (screen: string): Promise<Page> => {
      const url = `${stand.apis[0].url}/#/operate/${screen}`;
      const page = await browser.open(url, { language });
      await page.fill('textbox', w.key, root);
      await page.click('button', w.signIn);
      return page;
    };
    const open = async (): Promise<Page> => {
      const page = await openAt('runs');
      await page.tab.waitForSelector('tbody a');
      return page;
    };
    /** The run of a row, from the top. */
    const listed = (page: Page, row: number, { id }: { id: string }) =>
      page.tab.waitForFunction(
        `document.querySelectorAll('tbody a')[${row}]?.ariaLabel.endsWith('${id}')`,
      );

    it('are found by engine, key and age, the oldest first if wanted', async () => {
      const page = await open();
      const choose = async (name: string, value: string) =>
        void (await (await page.find('combobox', name)).select(value));
      await listed(page, 0, run);
      await choose(w.status, '');
      await listed(page, 1, first);
      await choose(w.order, 'oldest');
      await listed(page, 1, run);
      await choose(w.engine, 'agent');
      await page.sees(w.none);
      await choose(w.engine, 'hosted');
      await listed(page, 0, first);
      await choose(w.age, '3600');
      await page.sees(w.none);
      await choose(w.age, '');
      await page.fill('searchbox', w.ofKey, 'carol');
      await page.sees(w.none);
      await page.fill('searchbox', w.ofKey, 'root');
      await listed(page, 0, first);
      await expectSound(page, 'operate-filters');
    });

    it('are listed with the name of what carries them', async () => {
      const page = await open();
      expect(
        await page.run('document.querySelector("tbody").innerText'),
      ).toContain(w.hosted);
    });

    it('have a page with their attempts, purchases and log', async () => {
      const page = await openAt(`runs/${run.id}`);
      for (const name of w.seen) await page.sees(name);
      await page.sees('claimed worker=');
      await page.sees('purchased');
      await expectSound(page, `operate-log-${language}`);
    });

    it('lead back where there is no such run, which another try does not change', async () => {
      const page = await openAt(`runs/inv_${'0'.repeat(32)}`);
      await page.sees(w.noRun);
      await page.problem(/^GET .*: 404$/);
      await page.find('link', w.all);
      await page.loses(w.retry);
      await expectSound(page, 'operate-no-run');
    });

    it('have a page on which a run is ended with a reason, which its record shows', async () => {
      const page = await open();
      await page.tab.waitForSelector(`tbody a[href$='${run.id}']`);
      await page.run(
        `document.querySelector("tbody a[href$='${run.id}']").click()`,
      );
      await page.sees(run.id);
      await page.click('button', w.end);
      await page.fill('textbox', w.reason, w.why);
      await expectSound(page, 'operate-end');
      await page.click('button', w.endIt);
      await page.sees(w.why);
      expect((await run.wait()).status).toBe('cancelled');
      await page.click('button', w.refresh);
      await page.sees(w.cancelled);
      await page.loses(w.end);
      // These words are for the caller.
      expect(await page.text()).not.toContain(w.byCaller);
      expect(await run.read()).toMatchObject({
        status: 'cancelled',
        cancel_reason: w.why,
      });
      await expectSound(page, 'operate-run');
    });
  },
);
