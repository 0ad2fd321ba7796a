import { expectSound } from '../support/browser/appearance';
import { ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Page, PageOptions } from '../support/browser/page';
import type { Invocation } from '../support/client';

const DAY_MS = 86_400_000;
const WORDS = {
  en: {
    status: 'Status',
    since: 'Begun',
    from: 'From',
    to: 'To',
    all: 'Show all',
  },
  ko: {
    status: '상태',
    since: '시작',
    from: '시작일',
    to: '종료일',
    all: '모두 보기',
  },
};
const APPEARANCES = [
  { language: 'en', theme: 'light', width: 1280 },
  { language: 'ko', theme: 'dark', width: 360 },
] as const satisfies PageOptions[];

describe.each(APPEARANCES)('the history ($language, $width px)', (options) => {
  const w = {
    ...CONSOLE_WORDS[options.language],
    ...WORDS[options.language],
  };
  let world: ConsoleStand;
  let completed: Invocation;
  let cancelled: Invocation;

  beforeAll(async () => {
    world = await ConsoleStand.start();
    const client = world.stand.client();
    completed = await client.submit({ research_question: 'kimchi' });
    await completed.wait();
    await world.hold('research_outline');
    cancelled = await client.submit({ research_question: 'hangul' });
    await cancelled.cancel();
    await cancelled.wait();
    await world.stand.clearFaults();
  });
  afterEach(() => world.browser.clear());
  afterAll(() => world?.stop());

  /** Waits until exactly these are listed, by their ids. */
  const lists = (page: Page, runs: Invocation[]) =>
    page.tab.waitForFunction(
      `JSON.stringify([...document.querySelectorAll('.entries a')].map((one) => one.hash.split('/').at(-1)))
          === ${JSON.stringify(JSON.stringify(runs.map(({ id }) => id)))}`,
    );
  const choose = async (page: Page, name: string, value: string) =>
    (await page.find('combobox', name)).select(value);
  const dayOf = (page: Page, name: string, later: number) =>
    page.run<string>(`(() => {
        const day = new Date(Date.now() + ${later * DAY_MS});
        const two = (n) => String(n).padStart(2, '0');
        const text = day.getFullYear() + '-' + two(day.getMonth() + 1) + '-' + two(day.getDate());
        const input = [...document.querySelectorAll('label.day')]
          .find((one) => one.innerText.trim() === ${JSON.stringify(name)}).querySelector('input');
        input.value = text;
        input.dispatchEvent(new Event('input', { bubbles: true }));
        return text;
      })()`);

  it('is narrowed by status and by days, and still is after a look at a report', async () => {
    const page = await world.open('#/history', options);
    await lists(page, [cancelled, completed]);
    await choose(page, w.status, 'completed');
    await lists(page, [completed]);
    await choose(page, w.since, 'days');
    await dayOf(page, w.from, -3);
    await dayOf(page, w.to, 0);
    await lists(page, [completed]);
    await expectSound(page, 'history-filtered');
    await (await page.tab.waitForSelector('.entries a'))!.asLocator().click();
    await page.sees(w.copy);
    await page.tab.goBack();
    await lists(page, [completed]);
    // The last day is meant as a whole, and those before have none.
    await dayOf(page, w.to, -2);
    await page.sees(w.none);
    await page.click('button', w.all);
    await lists(page, [cancelled, completed]);
    expect(page.problems()).toEqual([]);
  });

  it('keeps a status that chats do not have to research', async () => {
    const page = await world.open('#/history', options);
    await choose(page, w.status, 'incomplete');
    await page.sees(w.none);
    await page.run("location.hash = '#/history/chats'");
    await page.sees(w.nothing);
    expect(page.problems()).toEqual([]);
  });

  it('is narrowed by keyboard alone', async () => {
    const page = await world.open('#/history', options);
    await lists(page, [cancelled, completed]);
    await (await page.find('searchbox', w.search)).focus();
    const reached: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      await page.press('Tab');
      reached.push(await page.run('document.activeElement.ariaLabel'));
    }
    expect(reached).toEqual([w.status, w.since]);
    for (let n = 0; n < 4; n += 1) await page.press('ArrowDown');
    await page.press('Tab');
    expect(await page.run('document.activeElement.type')).toBe('date');
    expect(page.problems()).toEqual([]);
  });
});
