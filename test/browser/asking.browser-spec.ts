import { ask, ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Language } from '../support/browser/page';

const QUESTIONS = {
  en: 'What is the history of kimchi?',
  ko: '김치의 역사는 어떠한가?',
} as const;

describe.each<Language>(['en', 'ko'])(
  'the form of a question (%s)',
  (language) => {
    const w = CONSOLE_WORDS[language];
    let world: ConsoleStand;

    beforeAll(async () => {
      world = await ConsoleStand.start();
    });
    afterEach(() => world.stand.reset());
    afterAll(() => world?.stop());

    it('offers three depths with what each takes at most, and the choice decides the engine', async () => {
      const page = await world.open('', { language });
      await page.tab.waitForFunction(
        `[...document.querySelectorAll('.depth .tiny')].filter((one) => one.textContent.startsWith(${JSON.stringify(w.estimate)})).length === 3`,
      );
      await (await page.tab.waitForSelector('.depth'))!.asLocator().click();
      await page.tab.waitForSelector('.depth[aria-pressed=true]');
      await ask(page, QUESTIONS[language]);
      await page.tab.waitForFunction("location.hash.startsWith('#/read/')");
      const { body } = await world.stand
        .client()
        .get(
          `/api/v1/tool-invocations/${page.path.split('/').at(-1)}/evidence`,
          { 'sec-fetch-site': 'same-origin' },
        );
      expect(body.brief).toMatchObject({ depth: 'quick' });
      expect(page.problems()).toEqual([]);
    });

    it('names what the service lacks, and how it is set', async () => {
      await world.stand.killWorkers();
      try {
        const page = await world.open('', { language });
        await page.sees(w.needs);
        await page.sees(w.worker);
        expect(await page.accessibilityFaults()).toEqual([]);
        expect(page.problems()).toEqual([]);
      } finally {
        await world.stand.addWorker();
      }
    });
  },
);
