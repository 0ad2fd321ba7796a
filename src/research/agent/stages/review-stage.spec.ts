import {
  AgentWorld,
  researchTask,
  type WorldOptions,
} from '../../../../test/support/agent/agent-world';
import { MemoryJournal } from '../../../../test/support/agent/memory-journal';
import { research } from '../agent';
import type { ResearchTask } from '../agent.types';
import { PlanAwaited } from './review-stage';

const never = new AbortController().signal;
const HOUR = 60 * 60_000;
const REVIEW = { plan: 'review' as const };

const taskOf = (more: Partial<ResearchTask> = {}) => researchTask(REVIEW, more);
/** A run until its plan waits. */
const proposed = async (options: WorldOptions = {}, task = taskOf()) => {
  const world = new AgentWorld(options);
  const journal = new MemoryJournal();
  const run = (of: ResearchTask) =>
    research(of, journal.takeOver(), world.ports, never);
  const awaited = await run(task).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(awaited instanceof PlanAwaited)) throw awaited as Error;
  return { world, journal, run, task, plan: awaited.plan };
};

describe('a plan that is reviewed', () => {
  it('waits with an estimate, on every worker with the same, and nothing is searched', async () => {
    const price = { inputPerMillion: 1, outputPerMillion: 10 };
    const { world, run, task, plan } = await proposed({ price });
    expect(world.queries).toEqual([]);
    expect(plan.estimate).toMatchObject({
      searches: expect.any(Number),
      pages: expect.any(Number),
      minutes: 1,
    });
    expect(plan.estimate!.cost_usd).toBeGreaterThan(0);
    world.now += HOUR;
    const prompts = world.prompts.length;
    await expect(run(task)).rejects.toEqual(new PlanAwaited(plan));
    expect(world.prompts).toHaveLength(prompts);
  });

  it('never promises more than the budget allows', async () => {
    const price = { inputPerMillion: 1_000, outputPerMillion: 1_000 };
    const budget = { max_cost_usd: 5, max_searches: 1, max_pages: 2 };
    const { plan } = await proposed({ price }, taskOf({ budget }));
    expect(plan.estimate).toMatchObject({
      searches: 1,
      pages: 2,
      cost_usd: 5,
    });
  });

  it('does not count the wait against the time of the run', async () => {
    const budget = { max_seconds: 60 };
    const { world, run, task } = await proposed({}, taskOf({ budget }));
    world.now += HOUR;
    const approved = {
      ...task,
      deadlineMs: task.deadlineMs + HOUR,
      planDecision: { approve: true },
    };
    expect(await run(approved)).toMatchObject({
      status: 'completed',
      limitsReached: [],
    });
  });

  it('is searched as it was edited, after a takeover too', async () => {
    const { world, journal, run, task } = await proposed();
    const directions = [{ title: 'Lift', queries: ['lift of the tower'] }];
    const decided = { ...task, planDecision: { approve: true, directions } };
    journal.crashAt = journal.boundaries + 4;
    await expect(run(decided)).rejects.toThrow();
    const end = await run(decided);
    expect(end.evidence.plan).toEqual({ directions });
    expect(world.queries[0].text).toBe('lift of the tower');
    expect(journal.begun.filter((key) => key === 'plan')).toHaveLength(1);
  });

  it('is not shown where a guardrail refuses it, and is shown as one changes it', async () => {
    const guard = (section: () => Promise<string | undefined>) => ({
      ports: { guard: { hasSecret: () => false, section } },
    });
    await expect(
      proposed(guard(() => Promise.resolve(undefined))),
    ).rejects.toMatchObject({ code: 'content_filter' });
    const { plan } = await proposed(guard(() => Promise.resolve('masked')));
    for (const { title, queries } of plan.directions)
      expect([title, ...queries].every((text) => text === 'masked')).toBe(true);
  });
});
