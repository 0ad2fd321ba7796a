import { expectSound } from '../support/browser/appearance';
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

    it('says what past runs of a depth took, and of others what they take at most', async () => {
      const past = 'sonde:past:{all}:agent:standard';
      const { redis } = world.stand;
      for (let n = 0; n < 10; n += 1)
        await redis.call(
          'ZADD',
          past,
          String(n),
          `inv_${n} ${120 * (n + 1)} ${n + 0.5}`,
        );
      try {
        const page = await world.open('', { language });
        await page.sees(w.usually);
        const uses = await page.run<string[]>(
          "[...document.querySelectorAll('.depth .tiny')].map((one) => one.textContent)",
        );
        // Without the highest tenth.
        expect(uses[1]).toMatch(
          new RegExp(`^${w.usually}2\\D+18.*0\\.50\\D+8\\.50`),
        );
        expect([uses[0], uses[2]]).toEqual(
          Array(2).fill(expect.stringContaining(w.estimate)),
        );
        expect(await page.accessibilityFaults()).toEqual([]);
        expect(page.problems()).toEqual([]);
      } finally {
        await redis.call('DEL', past);
      }
    });

    it('says what is wrong with a field in the language of the page', async () => {
      const page = await world.open('', { language });
      await page.fill('textbox', w.question, QUESTIONS[language]);
      await page.run("document.querySelector('form details').open = true");
      await page.fill('spinbutton', w.budget, '0.5');
      await page.click('button', w.start);
      await page.sees(w.noPrice);
      expect(await page.text()).not.toContain('has no configured price');
      await page.problem(/^POST .*tool-invocations: 422$/);
      // The estimate has the same fault.
      page.problems();
    });

    it('names what the service lacks, and how it is set', async () => {
      await world.stand.killWorkers();
      try {
        const page = await world.open('', { language });
        await page.sees(w.needs);
        await page.sees(w.worker);
        await page.sees('npm run start:worker');
        expect(await page.text()).not.toContain('.env');
        await expectSound(page, 'first-run');
      } finally {
        await world.stand.addWorker();
      }
    });
  },
);
