import { ConsoleStand } from '../support/browser/console.stand';
import { CONSOLE_WORDS } from '../support/browser/console.words';
import type { Language, Page } from '../support/browser/page';
import { Toolbox, testTools } from '../support/processes/toolbox';
import { ToolCallLog } from '../support/tool-call-log';

const QUESTIONS = {
  en: 'Tell me in detail about the history of kimchi',
  ko: '김치의 역사를 자세히 알려줘',
} as const;

const OTHERS = {
  en: 'Research in detail: hangul',
  ko: '한글이 만들어진 과정을 자세히 알려줘',
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
        env: { ...callLog.env, RELAY_CHAT_MODELS: 'sandbox-plain' },
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
      // The card of the research stays, with the pages that its answer rests on.
      await page.find('link', w.report);
      await page.sees(w.sources);
      const last = (await world.stand.requests()).at(-1)!;
      expect(JSON.stringify(last.body)).toContain(QUESTIONS[language]);
      // Its turns are kept by the tab; the record has the last one.
      await page.tab.reload();
      await answered(page, 2);
      await page.find('link', w.report);
      expect(page.problems()).toEqual([]);
    });

    it('keeps the card of every research over a reload, and when it is opened from the history', async () => {
      const page = await world.open('#/chat', { language });
      const reports = (count: number) =>
        page.tab.waitForFunction(
          `new Set([...document.querySelectorAll("main a[href*='#/read/']")].map((one) => one.hash)).size === ${count}`,
        );
      await say(page, QUESTIONS[language]);
      await answered(page, 1);
      await reports(1);
      await say(page, OTHERS[language]);
      await answered(page, 2);
      await reports(2);
      await page.tab.reload();
      await answered(page, 2);
      await reports(2);
      await page.run("location.hash = '#/history/chats'");
      await (await page.tab.waitForSelector('.entries a'))!.asLocator().click();
      await answered(page, 2);
      await reports(2);
      expect(page.problems()).toEqual([]);
    });

    it('is answered by the model that is chosen, with no tool but those that are', async () => {
      const page = await world.open('#/chat', { language });
      await page.find('button', w.send);
      await page.run("document.querySelector('.options').open = true");
      await (await page.find('combobox', w.model)).select('sandbox-plain');
      await page.click('checkbox', w.research);
      await say(page, QUESTIONS[language]);
      await answered(page, 1);
      const { body } = (await world.stand.requests()).at(-1)!;
      expect(body).toMatchObject({ model: 'sandbox-plain' });
      const offered = JSON.stringify(body);
      expect(offered).toContain('"say"');
      expect(offered).not.toContain('"deep_research"');
      expect(page.problems()).toEqual([]);
    });

    it('is stopped, and its message sent again', async () => {
      await world.hold('again and again');
      const page = await world.open('#/chat', { language });
      await say(page, 'again and again');
      await page.click('button', w.stop);
      await page.sees(w.stopped);
      await world.stand.clearFaults();
      await page.click('button', w.repeat);
      await answered(page, 1);
      expect(page.problems()).toEqual([]);
    });

    it('runs a tool that needs approval once it is approved', async () => {
      const page = await world.open('#/chat', { language });
      await say(page, '[sandbox: call delete_note {"word": "kimchi"}]');
      await page.find('button', w.approveCall);
      expect(await page.text()).not.toContain('This needs your approval');
      expect(callLog.entries()).toEqual([]);
      await page.click('button', w.approveCall);
      await answered(page, 1);
      expect(callLog.entries()).toMatchObject([{ tool: 'delete_note' }]);
      expect(page.problems()).toEqual([]);
    });
  },
);
