import { ask, ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Language, Page } from '../support/browser/page';

const QUESTIONS = {
  en: 'What is the history of kimchi?',
  ko: '김치의 역사는 어떠한가?',
} as const;
const FORM = `[document.querySelector('textarea').value,
  ...[...document.querySelectorAll('form select, form [type=number]')].map((one) => one.value)]`;

/** The page holds this in its form once it is shown. */
const holds = (page: Page, expected: string[]) =>
  page.tab.waitForFunction(
    `document.querySelector('textarea') && JSON.stringify(${FORM}) === ${JSON.stringify(JSON.stringify(expected))}`,
  );

describe.each<Language>(['en', 'ko'])(
  'what is typed into the console (%s)',
  (language) => {
    const w = CONSOLE_WORDS[language];
    const question = QUESTIONS[language];
    let world: ConsoleStand;

    beforeAll(async () => {
      world = await ConsoleStand.start();
    });
    afterEach(() => world.stand.reset());
    afterAll(() => world?.stop());

    const choose = async (page: Page) => {
      await page.fill('textbox', w.question, question);
      await page.run("document.querySelector('form details').open = true");
      await (await page.find('combobox', w.format)).select('json_outline');
    };

    it('survives a reload and a look at another screen, until it is sent', async () => {
      const page = await world.open('', { language });
      await choose(page);
      const typed = await page.run<string[]>(FORM);
      expect(typed).toEqual(expect.arrayContaining([question, 'json_outline']));
      await page.tab.reload();
      await holds(page, typed);
      await page.click('link', w.history);
      await page.sees(w.nothing);
      await page.click('link', w.askMenu);
      await holds(page, typed);
      await ask(page, question);
      await page.click('link', w.askMenu);
      await page.tab.waitForFunction(
        "document.querySelector('textarea')?.value === ''",
      );
      expect(page.problems()).toEqual([]);
    });

    it('is asked again with one click: the question and its options', async () => {
      await world.hold('research_outline');
      const page = await world.open('', { language });
      await choose(page);
      const typed = await page.run<string[]>(FORM);
      await ask(page, question);
      const id = page.path.split('/').at(-1);
      await page.click('button', w.cancel);
      await page.click('button', w.cancelIt);
      await page.click('link', w.again);
      await holds(page, typed);
      // What is typed for another run is another draft.
      await page.click('link', w.askMenu);
      await page.tab.waitForFunction(
        "document.querySelector('textarea')?.value === ''",
      );
      // A tab that has not asked it knows what is on record.
      const other = await world.open(`#/ask/${id}`, { language });
      await other.tab.waitForFunction("document.querySelector('form select')");
      expect(await other.run<string[]>(FORM)).toEqual(
        expect.arrayContaining([question, 'json_outline']),
      );
      expect([...page.problems(), ...other.problems()]).toEqual([]);
    });
  },
);
