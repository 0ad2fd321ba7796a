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

/** What a run makes of the language that its model names. */
async function run(language: string, research_question: string) {
  const world = new AgentWorld({
    roles: {
      research_scope: (blocks) => ({
        ...(honestRoles.research_scope(blocks) as object),
        language,
      }),
    },
  });
  const { search } = world.ports;
  const find = search.search.bind(search);
  const sent = new Set<string | undefined>();
  world.ports.search = {
    has: (one) => search.has(one),
    search: (query, signal) => {
      sent.add(query.language);
      return find(query, signal);
    },
  };
  const task = researchTask({ research_question });
  const journal = new MemoryJournal();
  const { status } = await research(task, journal, world.ports, never);
  expect(status).toBe('completed');
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
      const { sent, brief } = await run(given, question);
      expect(sent).toEqual([language]);
      expect(brief).toMatchObject({ language });
    },
  );

  it('leaves the language to the words of the brief where nothing tells it', async () => {
    const { sent, brief } = await run('the usual one', ENGLISH);
    expect(sent).toEqual([undefined]);
    expect(brief).not.toHaveProperty('language');
  });
});
