import { ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Language, Page } from '../support/browser/page';
import { Toolbox, testTools } from '../support/processes/toolbox';
import { ToolCallLog } from '../support/tool-call-log';

const QUESTIONS = {
  en: 'Tell me in detail about the history of kimchi',
  ko: '김치의 역사를 자세히 알려줘',
} as const;

describe.each<Language>(['en', 'ko'])(
  'a chat in the console (%s)',
  (language) => {
    const w = CONSOLE_WORDS[language];
    const callLog = new ToolCallLog();
    let world: ConsoleStand;

    beforeAll(async () => {
      world = await ConsoleStand.start({
        toolbox: new Toolbox(testTools('plain.tool.ts', 'risky.tool.ts')),
        env: callLog.env,
      });
    });
    afterEach(() => {
      callLog.clear();
      return world.stand.reset();
    });
    afterAll(async () => {
      await world?.stop();
      callLog.remove();
    });

    const say = async (page: Page, text: string) => {
      await page.fill('textbox', w.message, text);
      await page.click('button', w.send);
    };
    const answered = (page: Page, turns: number) =>
      page.tab.waitForFunction(
        `document.querySelectorAll('.answer .report').length === ${turns} && document.querySelector('.composer')`,
      );

    it('researches by itself, leads to its report, and goes on with what was said', async () => {
      const page = await world.open('#/chat', { language });
      await say(page, QUESTIONS[language]);
      await page.find('link', w.report);
      await answered(page, 1);
      await say(page, '[sandbox: call say {"word": "again"}]');
      await answered(page, 2);
      await page.sees(QUESTIONS[language]);
      const last = (await world.stand.requests()).at(-1)!;
      expect(JSON.stringify(last.body)).toContain(QUESTIONS[language]);
      // Its turns are kept by the tab; the record has the last one.
      await page.tab.reload();
      await answered(page, 2);
      expect(page.problems()).toEqual([]);
    });

    it('runs a tool that needs approval once it is approved', async () => {
      const page = await world.open('#/chat', { language });
      await say(page, '[sandbox: call delete_note {"word": "kimchi"}]');
      await page.find('button', w.approveCall);
      expect(callLog.entries()).toEqual([]);
      await page.click('button', w.approveCall);
      await answered(page, 1);
      expect(callLog.entries()).toMatchObject([{ tool: 'delete_note' }]);
      expect(page.problems()).toEqual([]);
    });
  },
);
