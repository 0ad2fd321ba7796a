import { ask, ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Language } from '../support/browser/page';
import { TcpProxy } from '../support/processes/tcp-proxy';
import { until } from '../support/until';

const WORDS = {
  en: {
    asked: 'What is the history of kimchi?',
    quotes: '5 quotes',
    again: 'Connecting again…',
  },
  ko: {
    asked: '김치의 역사는 어떠한가?',
    quotes: '근거 6건',
    again: '다시 연결하는 중…',
  },
} as const;
const STEPS =
  "[...document.querySelectorAll('.activities li')].map((one) => one.textContent)";

describe.each<Language>(['en', 'ko'])(
  'a run that is watched (%s)',
  (language) => {
    const w = { ...CONSOLE_WORDS[language], ...WORDS[language] };
    let world: ConsoleStand;

    beforeAll(async () => {
      world = await ConsoleStand.start();
    });
    afterEach(() => world.stand.reset());
    afterAll(() => world?.stop());

    it('goes on to its report where the network was cut: no step is shown twice', async () => {
      await world.hold('research_outline');
      const proxy = await TcpProxy.to({
        port: Number(new URL(world.url).port),
      });
      try {
        const page = await world.browser.open(
          `http://127.0.0.1:${proxy.port}/`,
          { language },
        );
        await ask(page, w.asked);
        await page.sees(w.quotes);
        const before = await page.run<string[]>(STEPS);
        proxy.cut();
        await page.sees(w.again);
        await proxy.heal();
        await page.loses(w.again);
        expect(await page.run<string[]>(STEPS)).toEqual(before);
        await world.stand.clearFaults();
        await page.sees(w.completed);
        page.problems();
      } finally {
        await proxy.close();
      }
    });

    it('goes on where the API process was killed and started again', async () => {
      await world.hold('research_outline');
      const page = await world.open('', { language });
      await ask(page, w.asked);
      await page.sees(w.quotes);
      const { port } = new URL(world.url);
      await world.stand.apis.pop()!.stop('SIGKILL');
      await page.sees(w.again);
      await world.stand.addApi({ RELAY_PORT: port });
      await page.loses(w.again);
      await world.stand.clearFaults();
      await page.sees(w.completed);
      page.problems();
    });

    it('is the same in two tabs, and after the back button', async () => {
      await world.hold('research_outline');
      const session = await world.browser.session();
      const first = await session.open(world.url, { language });
      await ask(first, w.asked);
      await first.sees(w.quotes);
      const second = await session.open(`${world.url}${first.path}`, {
        language,
      });
      await second.sees(w.quotes);
      await first.tab.bringToFront();
      await first.click('link', w.history);
      await first.tab.goBack();
      await first.sees(w.quotes);
      await world.stand.clearFaults();
      for (const tab of [first, second]) {
        await tab.tab.bringToFront();
        await tab.sees(w.completed);
      }
      // The report has taken the place of the time line.
      await first.tab.goBack();
      await until(
        'the page to leave the run',
        (saw) => !saw(first.path).includes('/watch/'),
      );
      expect([...first.problems(), ...second.problems()]).toEqual([]);
    });

    it('is not read over a stream while its tab is hidden, and is whole when it is shown', async () => {
      await world.hold('research_outline');
      const session = await world.browser.session();
      const watched = await session.open(world.url, { language });
      await ask(watched, w.asked);
      await watched.sees(w.quotes);
      const other = await session.open('about:blank');
      await other.tab.bringToFront();
      await world.stand.clearFaults();
      await watched.tab.bringToFront();
      await watched.sees(w.completed);
      expect(watched.problems()).toEqual([]);
    });

    it('says that a run is unknown', async () => {
      const page = await world.open(`#/watch/inv_${'0'.repeat(32)}`, {
        language,
      });
      await page.sees(w.noRun);
      page.problems();
    });
  },
);
