import {
  AgentWorld,
  researchTask,
} from '../../../../test/support/agent/agent-world';
import { MemoryJournal } from '../../../../test/support/agent/memory-journal';
import {
  blocksOf,
  honestRoles,
} from '../../../../test/support/agent/scripted-roles';
import { research } from '../agent';
import { scope } from './scope-stage';

const never = new AbortController().signal;
const KOREAN = '에펠탑의 높이와 역사는 무엇인가?';
const ENGLISH = 'How high is the tower?';

/**
 * What a run makes of the language that its model names.
 * @param query that its planner asks; the question, unless given.
 */
async function run(
  language: string,
  research_question: string,
  query = research_question,
) {
  const world = new AgentWorld({
    roles: {
      research_scope: (blocks) => ({
        ...(honestRoles.research_scope(blocks) as object),
        language,
      }),
      research_plan: () => ({
        directions: [{ title: 'The facts', queries: [query] }],
      }),
    },
  });
  const { search } = world.ports;
  const find = search.search.bind(search);
  const sent = new Set<string | undefined>();
  world.ports.search = {
    has: (one) => search.has(one),
    search: (asked, signal) => {
      sent.add(asked.language);
      return find(asked, signal);
    },
  };
  const task = researchTask({ research_question });
  await research(task, new MemoryJournal(), world.ports, never);
  const plan = world.prompts.find(({ role }) => role === 'research_plan')!;
  const { brief } = blocksOf(plan.user);
  return { sent: [...sent], brief: JSON.parse(brief) as object };
}

describe(scope.name, () => {
  it.each([
    ['en', ENGLISH, 'en'],
    ['English', ENGLISH, 'en'],
    ['en_US', ENGLISH, 'en-US'],
    ['zh-Hans', ENGLISH, 'zh-CN'],
    ['Korean (한국어)', ENGLISH, 'ko'],
    ['BCP 47', KOREAN, 'ko'],
    ['same as the question', KOREAN, 'ko'],
  ])(
    'has the language %j of a brief to %j as %s',
    async (given, question, language) => {
      const { brief } = await run(given, question);
      expect(brief).toMatchObject({ language });
    },
  );

  it('leaves the language to the words of the brief where nothing says it', async () => {
    const { brief } = await run('the usual one', ENGLISH);
    expect(brief).not.toHaveProperty('language');
  });

  it.each([
    ['a Korean report', 'ko', KOREAN, 'ko'],
    ['a Korean report', 'ko', ENGLISH, undefined],
    ['an English report', 'en', KOREAN, 'ko'],
    ['a French report', 'fr', ENGLISH, undefined],
    ['a Japanese report', 'ja', '東京都 人口 推移', 'ja'],
    ['a Chinese report', 'zh-TW', '台北 人口', 'zh-TW'],
  ])(
    'searches for %s (%s) with %j in the language %s of the query',
    async (_, language, query, expected) => {
      const { sent } = await run(language, KOREAN, query);
      expect(sent).toEqual([expected]);
    },
  );
});
