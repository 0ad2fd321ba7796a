import { createHash } from 'node:crypto';
import { Browser } from '../support/browser/browser';
import type { Page } from '../support/browser/page';
import { Service } from '../support/processes/service';
import { Stand } from '../support/processes/stand';

const KEY = 'the-key-of-alice';
const HASH = createHash('sha256').update(KEY).digest('hex');

describe('the sign-in of the console', () => {
  let stand: Stand;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      env: { RELAY_API_KEYS: `alice:${HASH}` },
    });
    url = stand.apis[0].url;
    browser = await Browser.launch();
  });
  afterEach(() => browser?.clear());
  afterAll(async () => {
    await browser?.close();
    await stand?.stop();
  });

  const signIn = async (page: Page, key: string) => {
    await page.fill('textbox', 'API key', key);
    await page.click('button', 'Sign in');
  };
  /** The key of alice may not operate, which is found out once. */
  const entered = async (page: Page) => {
    await signIn(page, KEY);
    await page.problem(/^GET \/admin\/api\/runs\?limit=1: 403$/);
  };

  it('refuses a wrong key and asks again', async () => {
    const page = await browser.open(url);
    await signIn(page, 'not-a-key');
    await page.sees('This API key is not valid.');
    await page.problem(/^GET \/admin\/api\/runs\?limit=1: 401$/);
    await entered(page);
    await page.sees('What should be researched?');
    expect(await page.text()).not.toContain('Operate');
    expect(page.problems()).toEqual([]);
  });

  it('keeps the key for the tab: in no URL, no log, no other tab, and not after it is closed', async () => {
    const session = await browser.session();
    const page = await session.open(url);
    await entered(page);
    await page.click('link', 'History');
    await page.sees('Nothing here yet.');
    await page.tab.reload();
    await page.sees('Nothing here yet.');
    expect(page.urls.filter((one) => one.includes(KEY))).toEqual([]);
    expect(page.urls.length).toBeGreaterThan(5);
    expect(page.tab.url()).not.toContain(KEY);
    expect(
      await page.run('document.cookie + JSON.stringify(localStorage)'),
    ).not.toContain(KEY);
    expect(stand.apis[0].output).not.toContain(KEY);

    const other = await session.open(url);
    await other.sees('This service needs an API key.');
    await page.close();
    const later = await session.open(url);
    await later.sees('This service needs an API key.');
    expect(await later.text()).not.toContain('History');
    expect([...other.problems(), ...later.problems()]).toEqual([]);
  });

  it('is asked for again after signing out', async () => {
    const page = await browser.open(url);
    await entered(page);
    await page.click('button', 'Sign out');
    await page.find('button', 'Sign in');
    await page.tab.reload();
    await page.find('button', 'Sign in');
    expect(page.problems()).toEqual([]);
  });

  it('forgets with its key what was typed', async () => {
    const page = await browser.open(url);
    await entered(page);
    await page.fill('textbox', 'Question', 'A secret of alice');
    const storage = 'JSON.stringify(sessionStorage)';
    expect(await page.run(storage)).toContain('A secret of alice');
    await page.click('button', 'Sign out');
    await page.find('button', 'Sign in');
    expect(await page.run(storage)).toBe('{}');
    await entered(page);
    await page.find('textbox', 'Question');
    expect(await page.run("document.querySelector('textarea').value")).toBe('');
    expect(page.problems()).toEqual([]);
  });

  it('does not exist on loopback without keys', async () => {
    const open = await Service.start('main', {
      ...stand.env,
      RELAY_API_KEYS: '',
    });
    try {
      const page = await browser.open(open.url);
      await page.sees('What should be researched?');
      expect(await page.text()).not.toMatch(/Sign (in|out)/);
      expect(page.problems()).toEqual([]);
    } finally {
      await open.stop();
    }
  });

  it('has the language of the browser until another is chosen, which is kept', async () => {
    const session = await browser.session();
    const page = await session.open(url, { language: 'ko' });
    await page.find('button', '로그인');
    expect(await page.run('document.documentElement.lang')).toBe('ko');
    await page.click('button', 'English');
    await page.find('button', 'Sign in');
    expect(await page.run('document.documentElement.lang')).toBe('en');
    const next = await session.open(url, { language: 'ko' });
    await next.find('button', 'Sign in');
    expect([...page.problems(), ...next.problems()]).toEqual([]);
  });
});
