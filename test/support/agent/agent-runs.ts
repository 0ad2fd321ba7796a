import { research } from '../../../src/research/agent/agent';
import type {
  AgentReport,
  ResearchTask,
} from '../../../src/research/agent/agent.types';
import {
  RELEASED_VERSIONS,
  VERSION_DECISION,
} from '../../../src/research/agent/agent-versions';
import { Inheritance } from '../../../src/research/agent/journal/inheritance';
import { JournalStore } from '../../../src/research/agent/journal/journal.store';
import { RunJournal } from '../../../src/research/agent/journal/run-journal';
import { JournalForks } from '../../../src/research/continuation/journal-fork';
import { KEYS } from '../../../src/runs/record/run-keys';
import { RunWriter } from '../../../src/runs/worker/run-writer';
import { Invocations } from '../invocations';
import { TestRedis } from '../redis/redis';
import { type AgentWorld, researchTask } from './agent-world';

export interface CarriedOut {
  id: string;
  report: AgentReport;
  text: string;
  /** Results of the run before. */
  inherited: number;
}

/** Runs of the agent with journals in Redis, in worlds in memory, that continue each other. */
export class AgentRuns {
  readonly forks: JournalForks;
  private readonly journals: JournalStore;
  private count = 0;

  private constructor(
    private readonly redis: TestRedis,
    private readonly room: Invocations,
  ) {
    this.forks = new JournalForks(room.connections, room.config);
    this.journals = new JournalStore(room.connections);
  }

  static async start(): Promise<AgentRuns> {
    const redis = await TestRedis.start();
    return new AgentRuns(redis, new Invocations(redis));
  }

  async stop(): Promise<void> {
    await this.room.close();
    await this.redis.stop();
  }

  /** Carries out a new run in this world. @param from the run that it continues. */
  async carryOut(
    { ports }: AgentWorld,
    {
      from,
      task = researchTask(),
    }: { from?: string; task?: ResearchTask } = {},
  ): Promise<CarriedOut> {
    const id = `inv_${(this.count += 1)}`;
    const { entries } = from ? await this.forks.copy(from, id) : { entries: 0 };
    const { store, reader } = this.room;
    await store.create(id, { tool: 'it', args: '{}', schema: '2' });
    const outcome = await store.claim(id, 'worker', 60_000);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    const { signal } = new AbortController();
    const steps = await this.journals.read(id);
    const inheritance = Inheritance.takenFrom(steps);
    expect(inheritance.size).toBe(entries);
    const journal = new RunJournal(
      new RunWriter(store, outcome.claim, signal),
      steps,
      {
        signal,
        effects: signal,
        crashes: 0,
        ...(entries > 0 && { inheritance }),
      },
    );
    await journal.decide(VERSION_DECISION, () => RELEASED_VERSIONS[0]);
    const report = await research(task, journal, ports, signal);
    await journal.idle();
    const text = await reader.readText(id);
    return { id, report, text, inherited: entries };
  }

  /** The entries of a journal, by field. */
  async journal(id: string): Promise<Map<string, string>> {
    const flat = (await this.redis.call(
      'HGETALL',
      KEYS.journal(id),
    )) as string[];
    return new Map(
      flat.flatMap((field, at) =>
        at % 2 === 0 ? [[field, flat[at + 1]] as const] : [],
      ),
    );
  }

  async write(id: string, field: string, entry: object): Promise<void> {
    const json = JSON.stringify(entry);
    await this.redis.call('HSET', KEYS.journal(id), field, json);
  }
}
