import { createHash } from 'node:crypto';
import { expectSound } from '../support/browser/appearance';
import { ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Page, PageOptions } from '../support/browser/page';
import type { Client, Invocation } from '../support/client';
import { until } from '../support/until';

const KEY = 'the-key-of-alice';
const HASH = createHash('sha256').update(KEY).digest('hex');
/** Found out once, when a key is signed in. */
const NOT_ADMIN = /^GET \/admin\/api\/runs\?limit=1: 403$/;
const GONE = /^GET \/api\/v1\/shared: 404$/;

const WORDS = {
  en: {
    key: 'API key',
    signIn: 'Sign in',
    share: 'Share',
    lifetime: 'The link opens the report',
    make: 'Make a link',
    copy: 'Copy the shared link',
    revoke: 'Revoke',
    revokeAll: 'Revoke all links',
    none: 'It has none.',
    gone: 'This link does not open a report any more.',
    start: 'To the start page',
  },
  ko: {
    key: 'API 키',
    signIn: '로그인',
    share: '공유',
    lifetime: '링크가 유효한 기간',
    make: '링크 만들기',
    copy: '공유 링크 복사',
    revoke: '폐기',
    revokeAll: '모든 링크 폐기',
    none: '없습니다.',
    gone: '이 링크로는 더 이상 보고서를 열 수 없습니다.',
    start: '첫 화면으로',
  },
};
const APPEARANCES = [
  { language: 'en', theme: 'light', width: 1280 },
  { language: 'ko', theme: 'dark', width: 360 },
] as const satisfies PageOptions[];

describe.each(APPEARANCES)(
  'a report that is shared by a link ($language)',
  (options) => {
    const w = {
      ...CONSOLE_WORDS[options.language],
      ...WORDS[options.language],
    };
    let world: ConsoleStand;
    let alice: Client;
    let run: Invocation;

    beforeAll(async () => {
      const env = { RELAY_API_KEYS: `alice:${HASH}` };
      world = await ConsoleStand.start({ env });
      alice = world.stand.client().as(KEY);
      run = await alice.submit({
        research_question: 'What is the history of kimchi?',
        deliverable_format: 'markdown_report',
      });
      expect((await run.wait()).status).toBe('completed');
    });
    afterEach(() => world.browser.clear());
    afterAll(() => world?.stop());

    const openDialog = async (): Promise<Page> => {
      const page = await world.open(`#/read/${run.id}`, options);
      await page.fill('textbox', w.key, KEY);
      await page.click('button', w.signIn);
      await page.problem(NOT_ADMIN);
      await page.click('button', w.share);
      await page.find('button', w.make);
      return page;
    };
    const share = async (): Promise<{ id: string; token: string }> => {
      const { body } = await alice.post(`${run.path}/share`, {});
      return { id: body.share_id, token: body.share_token };
    };

    it('is read without a key, with its sources and sections; nothing but the header has the token', async () => {
      const { token } = await share();
      const page = await world.open(`#/shared/${token}`, options);
      await page.sees(w.sources);
      await expectSound(page, 'shared');
      expect(await page.run('document.title')).toMatch(/\S · Sonde$/);
      const { report, links } = await page.run<Record<string, string[]>>(
        `({ report: [document.querySelector('.report').innerText],
          links: [...document.querySelectorAll('main a[target]')].map((one) => one.rel) })`,
      );
      expect(report[0]).toContain('Lactic acid bacteria do the work');
      expect(new Set(links)).toEqual(new Set(['noopener noreferrer nofollow']));
      await (await page.tab.waitForSelector('button.cite'))!
        .asLocator()
        .click();
      await page.tab.waitForSelector('[role=dialog]');
      // Of the routes, which no server sees, its own alone.
      const sent = page.urls.filter((one) => !one.includes('#/shared/'));
      expect(sent.filter((one) => one.includes(token))).toEqual([]);
      expect(
        await page.run(
          'document.cookie + JSON.stringify([localStorage, sessionStorage])',
        ),
      ).not.toContain(token);
      expect(page.problems()).toEqual([]);
    });

    it('has links that are all revoked at once, after a question', async () => {
      const shares = [await share(), await share()];
      const page = await openDialog();
      await page.click('button', w.revokeAll);
      await page.tab.waitForFunction(
        "document.querySelectorAll('dialog[open]').length === 2",
      );
      expect(await page.accessibilityFaults()).toEqual([]);
      await page.run(
        "[...document.querySelectorAll('dialog[open]')].at(-1).querySelector('button.danger').click()",
      );
      await page.sees(w.none);
      for (const { token } of shares) {
        const headers = { 'x-share-token': token };
        const { status } = await alice.get('/api/v1/shared', headers);
        expect(status).toBe(404);
      }
      expect(page.problems()).toEqual([]);
    });

    it('has a link that is made for some time, copied, and opened by others until it is revoked', async () => {
      await alice.request('DELETE', `${run.path}/share`);
      const page = await openDialog();
      await page.sees(w.none);
      await (await page.find('combobox', w.lifetime)).select('86400');
      await page.click('button', w.make);
      await page.run(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))",
      );
      await page.click('button', w.copy);
      const link = await until('the link to be selected', async (saw) => {
        const text = saw(await page.run<string>('getSelection().toString()'));
        return text.includes('#/shared/shr_') && text;
      });
      await expectSound(page, 'share');
      await page.press('Escape');
      const { body } = await alice.get(`${run.path}/share`);
      const [{ created_at, expires_at }] = body.data;
      expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(86_400_000);

      const reader = await world.browser.open(String(link), options);
      await reader.sees(w.sources);
      const [button] = await page.run<string[]>(
        `[...document.querySelectorAll('dialog .entries button')].map((one) => one.ariaLabel)`,
      );
      expect(button).toMatch(new RegExp(`^${w.revoke}: `));
      await page.click('button', button);
      await page.sees(w.none);
      await reader.tab.reload();
      await reader.sees(w.gone);
      await reader.problem(GONE);
      expect([...page.problems(), ...reader.problems()]).toEqual([]);
    });

    it('is not opened by a link that has ended or was cut off, which shows a way out', async () => {
      const { id, token } = await share();
      await alice.request('DELETE', `${run.path}/share/${id}`);
      for (const wrong of [token, token.slice(0, 40), '김치']) {
        const page = await world.open(`#/shared/${wrong}`, options);
        await page.sees(w.gone);
        await page.problem(GONE);
        await expectSound(page, 'shared-ended');
        await page.click('link', w.start);
        await page.find('button', w.signIn);
        expect(page.problems()).toEqual([]);
      }
    });
  },
);
