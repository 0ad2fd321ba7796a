import {
  AgentWorld,
  researchTask,
  type WorldOptions,
} from '../../../../test/support/agent/agent-world';
import { MemoryJournal } from '../../../../test/support/agent/memory-journal';
import {
  honestRoles,
  linesIn,
  noteOf,
  type Roles,
} from '../../../../test/support/agent/scripted-roles';
import { research } from '../agent';
import type { Depth } from '../../arguments/budget';
import type { ResearchArguments } from '../../arguments/research-arguments';
import { budgetFault } from './least-budget';

const never = new AbortController().signal;
const price = { inputPerMillion: 1, outputPerMillion: 10 };
const WORLDS = [{ price }, { price, contextTokens: 8_192 }];

const faultOf = (world: AgentWorld, task: ReturnType<typeof researchTask>) => {
  const { depth, budget } = task;
  const args = { ...task.args, depth, budget } as ResearchArguments;
  return budgetFault(args, world.ports.models);
};
/** The number that the refusal of less names. */
const leastOf = (depth: Depth | 'auto', limit: string, world: AgentWorld) => {
  const task = researchTask({}, { depth, budget: { [limit]: 1e-9 } });
  const { path, message } = faultOf(world, task)!;
  expect(path).toBe(`arguments.budget.${limit}`);
  return Number(/at least ([\d.]+)/.exec(message)![1]);
};

/** Runs of each limit and depth with the least that is accepted. */
const CASES = WORLDS.flatMap((options) =>
  (['quick', 'standard', 'deep'] as const).flatMap((depth) =>
    (['max_tokens', 'max_cost_usd'] as const).map(
      (limit) => [depth, limit, options] as const,
    ),
  ),
);

async function withLeast(depth: Depth, limit: string, options: WorldOptions) {
  const world = new AgentWorld(options);
  const least = leastOf(depth, limit, world);
  const task = researchTask({}, { depth, budget: { [limit]: least } });
  expect(faultOf(world, task)).toBeUndefined();
  const journal = new MemoryJournal();
  const report = await research(task, journal, world.ports, never);
  const { input_tokens, output_tokens, cost_usd } = journal.spent;
  const used = limit === 'max_tokens' ? input_tokens + output_tokens : cost_usd;
  expect(used).toBeLessThanOrEqual(least);
  return { world, report, text: journal.text };
}

/** So many words of one token each. */
const wordy = (count: number): string => 'tower '.repeat(count).trim();

/** Every answer before the outline is about as long as it may be. */
const LONG: Roles = {
  research_scope: (blocks) => ({
    ...(honestRoles.research_scope(blocks) as object),
    goal: wordy(160),
    sub_questions: Array.from({ length: 6 }, () => wordy(50)),
    excluded: Array.from({ length: 10 }, () => wordy(30)),
    criteria: Array.from({ length: 8 }, () => wordy(50)),
  }),
  research_plan: () => ({
    directions: Array.from({ length: 6 }, (_, n) => ({
      title: `${n} ${wordy(40)}`,
      queries: Array.from({ length: 3 }, (__, m) => `${n} ${m} ${wordy(40)}`),
    })),
  }),
  research_notes: (blocks) => ({
    notes: linesIn(blocks)
      .slice(0, 25)
      .map(({ number }) => noteOf(number, wordy(50))),
  }),
  // No longer than its limit.
  research_section: (blocks) => {
    const { sentences } = honestRoles.research_section(blocks) as {
      sentences: object[];
    };
    return { sentences: sentences.slice(0, 20) };
  },
};

const LONG_PAGES = Object.fromEntries(
  ['a', 'b', 'c'].map((name) => {
    const lines = Array.from(
      { length: 500 },
      (_, n) => `The tower ${name} has ${n} steps in part ${n} of its stairs.`,
    );
    return [
      `https://long.example/${name}`,
      { title: `Tower ${name}`, text: lines.join('\n\n') },
    ];
  }),
);

describe(budgetFault.name, () => {
  it.each(CASES)(
    'names for %s the least %s that suffices for a report that its model writes (%j)',
    async (depth, limit, options) => {
      const { world, report, text } = await withLeast(depth, limit, options);
      expect(report.status).toBe('completed');
      expect(text).not.toBe('');
      const roles = new Set(world.prompts.map(({ role }) => role));
      expect(roles).toContain('research_section');
    },
  );

  it.each(CASES)(
    'suffices for a report for %s by %s, with notes where a section is not written, where answers are as long as they may be and pages longer than is read (%j)',
    async (depth, limit, options) => {
      const { report, text } = await withLeast(depth, limit, {
        ...options,
        roles: LONG,
        pages: LONG_PAGES,
      });
      expect(['completed', 'incomplete']).toContain(report.status);
      expect(report.evidence.notes.length).toBeGreaterThan(10);
      expect(text).not.toBe('');
    },
  );

  it.each(CASES)(
    'suffices for %s by %s where the first answers for scope, plan and notes are refused (%j)',
    async (depth, limit, options) => {
      const roles = ['scope', 'plan', 'notes'].map((name) => {
        let asked = 0;
        const role = `research_${name}`;
        return [
          role,
          (blocks: Parameters<(typeof honestRoles)[string]>[0]) =>
            asked++ === 0 ? 'Certainly!' : honestRoles[role](blocks),
        ] as const;
      });
      const { report, text } = await withLeast(depth, limit, {
        ...options,
        roles: Object.fromEntries(roles),
      });
      expect(report.status).toBe('completed');
      expect(text).not.toBe('');
    },
  );

  it('has the number of the deepest where the agent decides, and names that of the shallowest', () => {
    const world = new AgentWorld({});
    const task = researchTask(
      {},
      { depth: 'auto', budget: { max_tokens: 1_000 } },
    );
    const [deep, quick] = (['deep', 'quick'] as const).map((depth) =>
      leastOf(depth, 'max_tokens', world),
    );
    expect(faultOf(world, task)?.message).toMatch(
      new RegExp(`at least ${deep} .* quick, at least ${quick}$`),
    );
  });

  it('takes what suffices, and what has no limit of tokens or money', () => {
    const world = new AgentWorld({});
    for (const budget of [{}, { max_pages: 1 }, { max_tokens: 1_000_000 }])
      expect(faultOf(world, researchTask({}, { budget }))).toBeUndefined();
  });
});
