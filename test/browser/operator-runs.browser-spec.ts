import { expectSound } from '../support/browser/appearance';
import { Browser } from '../support/browser/browser';
import type { Page } from '../support/browser/page';
import type { Client, Invocation } from '../support/client';
import { keysCommand } from '../support/processes/keys-command';
import { Stand } from '../support/processes/stand';

const HOUR_MS = 3_600_000;
const REASON = 'It holds up the others.';
const WORDS = {
  en: {
    key: 'API key',
    submit: 'Sign in',
    seen: ['Attempts', 'Takeovers', 'Purchases', 'Log'],
  },
  ko: {
    key: 'API 키',
    submit: '로그인',
    seen: ['시도', '넘겨받은 횟수', '구매', '기록'],
  },
};

describe('the runs of all keys in the console', () => {
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

  const openAt = async (
    screen: string,
    language: keyof typeof WORDS = 'en',
  ): Promise<Page> => {
    const url = `${stand.apis[0].url}/#/operate/${screen}`;
    const page = await browser.open(url, { language });
    await page.fill('textbox', WORDS[language].key, root);
    await page.click('button', WORDS[language].submit);
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
    await choose('Status', '');
    await listed(page, 1, first);
    await choose('Order', 'oldest');
    await listed(page, 1, run);
    await choose('Engine', 'agent');
    await page.sees('No runs.');
    await choose('Engine', 'hosted');
    await listed(page, 0, first);
    await choose('Age', '3600');
    await page.sees('No runs.');
    await choose('Age', '');
    await page.fill('searchbox', 'Key', 'carol');
    await page.sees('No runs.');
    await page.fill('searchbox', 'Key', 'root');
    await listed(page, 0, first);
    await expectSound(page, 'operate-filters');
  });

  it('are listed with the name of what carries them', async () => {
    const page = await open();
    expect(
      await page.run('document.querySelector("tbody").innerText'),
    ).toContain('Research model of the endpoint');
  });

  it.each(['en', 'ko'] as const)(
    'have a page with their attempts, purchases and log: %s',
    async (language) => {
      const page = await openAt(`runs/${run.id}`, language);
      for (const name of WORDS[language].seen) await page.sees(name);
      await page.sees('claimed worker=');
      await page.sees('purchased');
      await expectSound(page, `operate-log-${language}`);
    },
  );

  it('lead back where there is no such run, which another try does not change', async () => {
    const page = await openAt(`runs/inv_${'0'.repeat(32)}`);
    await page.sees('There is no such run, or it has expired.');
    await page.problem(/^GET .*: 404$/);
    await page.find('link', 'All runs');
    await page.loses('Try again');
    await expectSound(page, 'operate-no-run');
  });

  it('have a page on which a run is ended with a reason, which its record shows', async () => {
    const page = await open();
    await page.tab.waitForSelector(`tbody a[href$='${run.id}']`);
    await page.run(
      `document.querySelector("tbody a[href$='${run.id}']").click()`,
    );
    await page.sees(run.id);
    await page.click('button', 'End it');
    await page.fill(
      'textbox',
      'Reason, which the record shows (optional)',
      REASON,
    );
    await expectSound(page, 'operate-end');
    await page.click('button', 'End the run');
    await page.sees(REASON);
    expect((await run.wait()).status).toBe('cancelled');
    await page.click('button', 'Refresh');
    await page.sees('Cancelled');
    await page.loses('End it');
    // These words are for the caller.
    expect(await page.text()).not.toContain('You cancelled it');
    expect(await run.read()).toMatchObject({
      status: 'cancelled',
      cancel_reason: REASON,
    });
    await expectSound(page, 'operate-run');
  });
});
