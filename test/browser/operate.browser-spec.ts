import { APPEARANCES, expectSound } from '../support/browser/appearance';
import { Browser } from '../support/browser/browser';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Language, Page, PageOptions } from '../support/browser/page';
import { Client } from '../support/client';
import { keysCommand } from '../support/processes/keys-command';
import { Stand } from '../support/processes/stand';

const SIGN_IN = {
  en: { key: 'API key', submit: 'Sign in' },
  ko: { key: 'API 키', submit: '로그인' },
};
const WORDS = {
  en: {
    name: 'Name',
    make: 'Make a key',
    once: 'it is shown only here and only once',
    active: 'Active',
    rotate: 'Rotate',
    revoke: 'Revoke',
    revokeIt: 'Revoke alice-en?',
    revoked: 'Revoked',
    ended: 'Your API key is no longer valid.',
    needsAdmin: 'This needs an API key with the scope admin.',
  },
  ko: {
    name: '이름',
    make: '키 만들기',
    once: '여기에서 한 번만 보여 줍니다',
    active: '사용 중',
    rotate: '교체',
    revoke: '폐기',
    revokeIt: 'alice-ko 키를 폐기할까요?',
    revoked: '폐기됨',
    ended: 'API 키가 더는 유효하지 않습니다.',
    needsAdmin: 'admin 권한이 있는 API 키가 필요합니다.',
  },
} as const;
const PARTS = [
  ['runs', { en: 'Refresh', ko: '새로 고침' }],
  ['spend', { en: 'Last 30 days, by day', ko: '최근 30일, 날짜별' }],
  ['keys', { en: 'Make a key', ko: '키 만들기' }],
] as const;

/** Found out once, when a key is signed in. */
const NOT_ADMIN = /^GET \/admin\/api\/runs\?limit=1: 403$/;

describe('the operation of a service in the console', () => {
  let stand: Stand;
  let browser: Browser;
  let url: string;
  let root: string;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 50,
      env: { RELAY_REQUIRE_KEYS: 'true' },
    });
    url = stand.apis[0].url;
    const scopes = ['admin', 'chat', 'research', 'read'].join(',');
    const commands = { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' };
    const { body, errors } = await keysCommand(
      commands,
      'create',
      'root',
      '--scopes',
      scopes,
    );
    expect(errors).toBe('');
    root = body.key;
    const { status } = await stand.client().as(root).research();
    expect(status).toBe(200);
    browser = await Browser.launch();
  });
  afterEach(() => browser?.clear());
  afterAll(async () => {
    await browser?.close();
    await stand?.stop();
  });

  const openAs = async (key: string, route = '', options?: PageOptions) => {
    const page = await browser.open(`${url}/#/${route}`, options);
    await signIn(page, key);
    return page;
  };
  const signIn = async (page: Page, key: string) => {
    const w = SIGN_IN[page.options.language];
    await page.fill('textbox', w.key, key);
    await page.click('button', w.submit);
  };

  describe.each(APPEARANCES)(
    'in $language, $theme, $width px wide',
    (options) => {
      it('asks for a key on a screen that is sound', async () => {
        const page = await browser.open(url, options);
        await page.find('button', SIGN_IN[options.language].submit);
        await expectSound(page, 'sign-in');
      });

      it.each(PARTS)('is sound: %s', async (part, sees) => {
        const page = await openAs(root, `operate/${part}`, options);
        await page.sees(sees[options.language]);
        await expectSound(page, `operate-${part}`);
      });
    },
  );

  describe.each<Language>(['en', 'ko'])('in the language %s', (language) => {
    const w = { ...CONSOLE_WORDS[language], ...WORDS[language] };
    // Keys of one name share what they have begun.
    const name = `alice-${language}`;

    it('makes a key that is shown once, works, is rotated, and ends when it is revoked', async () => {
      const admin = await openAs(root, 'operate/keys', { language });
      await admin.fill('textbox', w.name, name);
      await admin.click('button', w.make);
      await admin.sees(w.once);
      const shown = await admin.run<string>(
        "document.querySelector('[role=status] code').textContent",
      );
      await admin.sees(w.active);
      await admin.tab.reload();
      await admin.sees(name);
      expect(await admin.text()).not.toContain(shown);

      const alice = await openAs(shown, 'history', { language });
      await alice.sees(w.nothing);
      await alice.problem(NOT_ADMIN);

      await admin.click('button', `${w.rotate}: ${name}`);
      await admin.click('button', w.rotate);
      await admin.sees(w.once);
      const next = await admin.run<string>(
        "document.querySelector('[role=status] code').textContent",
      );
      expect(next).not.toBe(shown);
      expect((await new Client(url).as(next).get('/api/v1/tools')).status).toBe(
        200,
      );

      await admin.click('button', `${w.revoke}: ${name}`);
      await admin.sees(w.revokeIt);
      await admin.click('button', w.revoke);
      await admin.loses(w.revokeIt);
      await admin.sees(w.revoked);
      expect(admin.problems()).toEqual([]);

      await alice.click('link', w.askMenu);
      await alice.click('link', w.history);
      await alice.sees(w.ended);
      await alice.problem(/^GET \/api\/v1\/tool-invocations\?.*: 401$/);
      expect(alice.problems()).toEqual([]);
    });

    it('is open to a key that may do nothing else', async () => {
      const { body } = await stand
        .client()
        .as(root)
        .post('/admin/api/keys', { name: 'carol', scopes: ['admin'] });
      const page = await openAs(body.key, 'operate/keys', { language });
      await page.find('button', w.make);
      await page.find('link', w.operate);
      expect(page.problems()).toEqual([]);
    });

    it('is closed to a key without the scope, and says what it needs', async () => {
      const { body } = await stand
        .client()
        .as(root)
        .post('/admin/api/keys', { name: 'bob', scopes: ['research', 'read'] });
      const page = await openAs(body.key, 'operate/keys', { language });
      await page.sees(w.needsAdmin);
      await page.problem(NOT_ADMIN);
      await page.problem(/^GET \/admin\/api\/keys: 403$/);
      expect(page.problems()).toEqual([]);
    });
  });
});
