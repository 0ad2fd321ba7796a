import {
  AgentWorld,
  researchTask,
} from '../../../../test/support/agent/agent-world';
import { MemoryJournal } from '../../../../test/support/agent/memory-journal';
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

describe(budgetFault.name, () => {
  it.each(
    WORLDS.flatMap((options) =>
      (['quick', 'standard', 'deep'] as const).flatMap((depth) =>
        (['max_tokens', 'max_cost_usd'] as const).map(
          (limit) => [depth, limit, options] as const,
        ),
      ),
    ),
  )(
    'names for %s the least %s that suffices for a report (%j)',
    async (depth, limit, options) => {
      const world = new AgentWorld(options);
      const least = leastOf(depth, limit, world);
      const task = researchTask({}, { depth, budget: { [limit]: least } });
      expect(faultOf(world, task)).toBeUndefined();
      const journal = new MemoryJournal();
      const report = await research(task, journal, world.ports, never);
      expect(report.status).toBe('completed');
      expect(journal.text).not.toBe('');
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
