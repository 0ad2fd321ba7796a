import { startAgentStand } from '../support/agent/agent-stand';
import { APPEARANCES, expectSound } from '../support/browser/appearance';
import { Browser } from '../support/browser/browser';
import type { Language, Page, PageOptions } from '../support/browser/page';
import type { Session } from '../support/browser/session';
import { BackgroundChat } from '../support/chat/background-chat';
import type { Client, Invocation } from '../support/client';
import type { Stand } from '../support/processes/stand';
import { Toolbox, testTools } from '../support/processes/toolbox';
import { until } from '../support/until';

const QUESTIONS = {
  en: 'What is the history of kimchi, and how is it made?',
  ko: '한글은 언제, 왜 만들어졌는지 자세히 알려줘',
};
const APPROVAL = '[sandbox: call delete_note {"word": "kimchi"}]';

/** Runs and chats in every state that has a screen of its own. */
interface Records {
  completed: Invocation;
  waiting: Invocation;
  refused: Invocation;
  answered: BackgroundChat;
  approval: BackgroundChat;
}

interface Screen {
  name: string;
  path: (records: Records & { running: Invocation }) => string;
  /** What the screen shows once it is complete. */
  sees: Record<Language, string>;
  /** What is done then. */
  act?: (page: Page) => Promise<void>;
}

const press =
  (texts: Record<Language, string>, role = 'button') =>
  (page: Page) =>
    page.click(role, texts[page.options.language]);

const SCREENS: Screen[] = [
  {
    name: 'ask',
    path: () => '',
    sees: { en: 'What should be researched?', ko: '무엇을 조사할까요?' },
    act: async (page) => {
      await page.tab.waitForSelector('.depth');
      await page.run(
        "document.querySelectorAll('details').forEach((one) => (one.open = true))",
      );
    },
  },
  {
    name: 'watch',
    path: ({ running }) => `watch/${running.id}`,
    // The last of its steps, known once it has a plan.
    sees: { en: 'Writing', ko: '작성' },
  },
  {
    name: 'plan',
    path: ({ waiting }) => `watch/${waiting.id}`,
    sees: { en: 'Approve the plan', ko: '계획을 승인해 주세요' },
  },
  {
    name: 'cancel',
    path: ({ waiting }) => `watch/${waiting.id}`,
    sees: { en: 'Approve the plan', ko: '계획을 승인해 주세요' },
    act: press({ en: 'Cancel', ko: '취소' }),
  },
  {
    name: 'refused',
    path: ({ refused }) => `watch/${refused.id}`,
    sees: { en: 'nothing was searched', ko: '아무것도 검색하지 않았습니다' },
  },
  {
    name: 'report',
    path: ({ completed }) => `read/${completed.id}`,
    sees: { en: 'Sources', ko: '출처' },
  },
  {
    name: 'citation',
    path: ({ completed }) => `read/${completed.id}`,
    sees: { en: 'Sources', ko: '출처' },
    act: async (page) => {
      await (await page.tab.waitForSelector('button.cite'))!
        .asLocator()
        .click();
      await page.tab.waitForSelector('[role=dialog]');
    },
  },
  {
    name: 'formats',
    path: ({ completed }) => `read/${completed.id}`,
    sees: { en: 'Sources', ko: '출처' },
    act: press({ en: 'Download ▾', ko: '내려받기 ▾' }),
  },
  {
    name: 'delete',
    path: ({ completed }) => `read/${completed.id}`,
    sees: { en: 'Sources', ko: '출처' },
    act: press({ en: 'Delete', ko: '삭제' }),
  },
  {
    name: 'history',
    path: () => 'history',
    // Titles are shorter than the question.
    sees: {
      en: 'What is the history of kimchi',
      ko: '한글은 언제, 왜 만들어졌는지',
    },
  },
  {
    name: 'chats',
    path: () => 'history/chats',
    sees: QUESTIONS,
  },
  {
    name: 'new-chat',
    path: () => 'chat',
    sees: { en: 'answered at once', ko: '바로 답하거나' },
  },
  {
    name: 'chat',
    path: ({ answered }) => `chat/${answered.id}`,
    sees: { en: 'New chat', ko: '새 대화' },
    act: async (page) =>
      void (await page.find(
        'textbox',
        { en: 'Message', ko: '메시지' }[page.options.language],
      )),
  },
  {
    name: 'approval',
    path: ({ approval }) => `chat/${approval.id}`,
    sees: { en: 'needs your approval', ko: '승인이 필요합니다' },
  },
  {
    name: 'no-page',
    path: () => 'nowhere',
    sees: { en: 'There is no such page.', ko: '없는 페이지입니다.' },
  },
];

describe('the screens of the console', () => {
  let stand: Stand;
  let browser: Browser;
  const records = {} as Record<Language, Records>;

  beforeAll(async () => {
    stand = await startAgentStand({
      toolbox: new Toolbox(testTools('plain.tool.ts', 'risky.tool.ts')),
    });
    await stand.addWorker();
    const client = stand.client();
    for (const language of ['en', 'ko'] as const)
      records[language] = await recordsIn(client, QUESTIONS[language]);
    // From here on no run goes on to its text.
    await stand.fault({
      kind: 'hang',
      count: 0,
      match: { body: 'research_outline' },
    });
    browser = await Browser.launch();
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.stop();
  });

  describe.each(APPEARANCES)(
    'in $language, $theme, $width px wide',
    (options: Required<PageOptions>) => {
      let session: Session;
      let running: Invocation;
      beforeAll(async () => {
        const research_question = QUESTIONS[options.language];
        running = await stand.client().submit({ research_question });
        session = await browser.session();
      });
      afterAll(async () => {
        await running.cancel();
        await browser.clear();
      });

      it.each(SCREENS)(
        '$name has no serious fault of accessibility, fits, and logs nothing',
        async ({ name, path, sees, act }) => {
          const { language } = options;
          const url = `${stand.apis[0].url}/#/${path({ ...records[language], running })}`;
          const page = await session.open(url, options);
          await page.sees(sees[language]);
          await act?.(page);
          await expectSound(page, name);
          await page.close();
        },
      );
    },
  );
});

async function recordsIn(client: Client, question: string): Promise<Records> {
  const research_question = question;
  const [completed, waiting, refused] = await Promise.all([
    client.submit({ research_question }),
    client.submit({ research_question, plan: 'review' }),
    client.submit({ research_question, plan: 'review' }),
  ]);
  const answered = await BackgroundChat.begin(client, { message: question });
  const approval = await BackgroundChat.begin(client, { message: APPROVAL });
  await Promise.all([
    reaches(waiting, 'requires_action'),
    reaches(refused, 'requires_action'),
  ]);
  await client.post(
    `${refused.path}/plan`,
    { approve: false },
    refused.headers,
  );
  await Promise.all([
    reaches(refused, 'cancelled'),
    reaches(completed, 'completed'),
    reaches(answered, 'completed'),
    reaches(approval, 'requires_action'),
  ]);
  return { completed, waiting, refused, answered, approval };
}

const ENDS = ['completed', 'incomplete', 'failed', 'cancelled'];

/** Waits until the record has this status. */
async function reaches(
  record: Invocation | BackgroundChat,
  wanted: string,
): Promise<void> {
  await until(`${record.id} to be ${wanted}`, async (saw) => {
    const { status } = saw(await record.read());
    if (status !== wanted && ENDS.includes(status))
      throw new Error(`${record.id} is ${status}, not ${wanted}`);
    return status === wanted;
  });
}
