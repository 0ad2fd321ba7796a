import type { Tried } from './agent.types';
import type { ModelRole } from '../../config/settings/models/role-models';
import type { RunLimits } from '../../runs/record/run';
import type { AgentModel, AgentPorts } from './agent-ports';
import type { Journal } from './journal/journal';
import type {
  BoundSection,
  Brief,
  Contradiction,
  Note,
  Plan,
  ReadSource,
  ResearchTask,
} from './agent.types';
import type { TriedPage } from './candidates/tried-page';
import { Allowance } from './budget/allowance';
import {
  inputLimitOf,
  outputLimitOf,
  WRITING_RESERVE,
} from './budget/call-limits';
import { todayIn } from './prompts/prompt';
import { DEPTH_LIMITS, type DepthLimits, limitsWithin } from './budget/depths';

/** Of the time of a run, what is kept for its end: as long as this, or this share of a short one. */
const ENDING_MS = 30_000;
const ENDING_SHARE = 0.05;

/** What must be equal on every worker that carries the run. */
interface Pinned {
  models: Record<ModelRole, AgentModel>;
  startMs: number;
  deadlineMs: number;
  /** The date of its start; runs of earlier releases have none. */
  today?: string;
}

/** The state of one run. All of it follows from the task and the journal. */
export class AgentRun {
  brief?: Brief;
  plan?: Plan;
  limits: DepthLimits = DEPTH_LIMITS.standard;
  readonly notes: Note[] = [];
  readonly sources: ReadSource[] = [];
  readonly contradictions: Contradiction[] = [];
  missing: string[] = [];
  readonly sections: BoundSection[] = [];
  readonly failed: { what: string; tried: Tried[] }[] = [];
  readonly limitsReached = new Set<string>();
  /** The pages that were tried, by their key. What a search has only found is none of them. */
  readonly pages = new Map<string, TriedPage>();
  searches = 0;
  /** Searches that an engine answered, with hits or without. */
  answered = 0;
  pagesTried = 0;
  /** How often its critic was asked. */
  critiques = 0;
  /** Pages that the run before has read. */
  adopted = 0;
  allowance = new Allowance({ tokens: 0, costUsd: 0 });
  /** What was read is in the journal, see `keepEvidence`. */
  evidenceKept = false;
  private readonly contexts = new Map<string, number>();
  private noteIds = 0;
  private readonly cache = new Map<string, unknown>();

  private constructor(
    readonly task: ResearchTask,
    readonly journal: Journal,
    readonly ports: AgentPorts,
    readonly signal: AbortSignal,
    private readonly pinned: Pinned,
  ) {
    this.limitTo(DEPTH_LIMITS.standard);
    journal.limitWaits(() => this.pinned.deadlineMs - ports.now());
  }

  static async begin(
    task: ResearchTask,
    journal: Journal,
    ports: AgentPorts,
    signal: AbortSignal,
  ): Promise<AgentRun> {
    const pinned = await journal.decide('run', () => {
      const startMs = ports.now();
      const seconds = task.budget.max_seconds ?? Infinity;
      const earlier = journal.inheritance?.decision<Pinned>('run');
      return {
        models: earlier?.models ?? ports.models,
        startMs,
        deadlineMs: Math.min(task.deadlineMs, startMs + seconds * 1_000),
        today: todayIn(ports.timeZone, startMs),
      };
    });
    return new AgentRun(task, journal, ports, signal, pinned);
  }

  /** Applies the depth, and of the caller's limits those that are narrower. */
  limitTo(depth: DepthLimits): void {
    const { budget } = this.task;
    this.limits = limitsWithin(depth, budget);
    const { spent } = this.allowance;
    this.allowance = new Allowance({
      tokens: this.limits.tokens,
      costUsd: budget.max_cost_usd ?? Infinity,
    });
    this.allowance.settle(spent);
  }

  /** Continues with an approved plan, whose queries may all be sent. The wait for the approval counts against no limit. */
  resume(waitedMs: number, directions: Plan['directions']): void {
    const { pinned, task, limits } = this;
    pinned.startMs += waitedMs;
    pinned.deadlineMs = Math.min(pinned.deadlineMs + waitedMs, task.deadlineMs);
    this.plan = { directions };
    const planned = directions.flatMap(({ queries }) => queries).length;
    const most = task.budget.max_searches ?? Infinity;
    const searches = Math.min(Math.max(limits.searches, planned), most);
    this.limits = { ...limits, searches };
  }

  /** What it may use at most. */
  get limitsOfRecord(): RunLimits {
    const { searches, pages, tokens } = this.limits;
    const { startMs, deadlineMs } = this.pinned;
    return {
      max_searches: searches,
      max_pages: pages,
      max_tokens: tokens,
      max_seconds: Math.ceil((deadlineMs - startMs) / 1_000),
      max_cost_usd: this.task.budget.max_cost_usd ?? null,
    };
  }

  /** Since it began, by the clock of Redis. */
  get elapsedMs(): number {
    return this.ports.now() - this.pinned.startMs;
  }

  /** The run would search or read more. A limit of the depth is no limit of the caller. */
  noteLimit(limit: 'max_searches' | 'max_pages'): void {
    const asked = this.task.budget[limit];
    const kept =
      limit === 'max_pages' ? this.limits.pages : this.limits.searches;
    if (asked !== undefined && asked <= kept) this.limitsReached.add(limit);
  }

  /** What is inherited counts against no limit. */
  widen({
    searches = 0,
    pages = 0,
  }: Partial<Pick<DepthLimits, 'searches' | 'pages'>>): void {
    this.limits = {
      ...this.limits,
      searches: this.limits.searches + searches,
      pages: this.limits.pages + pages,
    };
    this.adopted += pages;
  }

  /** What is made once per execution: pure functions of the task. */
  cached<T>(key: string, make: () => T): T {
    if (!this.cache.has(key)) this.cache.set(key, make());
    return this.cache.get(key) as T;
  }

  nextNoteId(): string {
    this.noteIds += 1;
    return `n${this.noteIds}`;
  }

  /** The same run, whose prompts for a role have a smaller context. Only for making prompts. */
  within(role: ModelRole, contextTokens: number): AgentRun {
    const models = { ...this.pinned.models };
    models[role] = { ...models[role], contextTokens };
    return Object.create(this, {
      pinned: { value: { ...this.pinned, models } },
      cache: { value: new Map() },
    }) as AgentRun;
  }

  /** The context of a model turned out to be smaller. It counts from `adoptContexts` on. */
  noteContext(model: string, contextTokens: number): void {
    const known = this.contexts.get(model) ?? Infinity;
    this.contexts.set(model, Math.min(known, contextTokens));
  }

  /** Prompts are for the contexts that turned out. Called while no step is under way, so that takeovers make the same ones. */
  adoptContexts(): void {
    for (const model of Object.values(this.pinned.models)) {
      const known = this.contexts.get(model.name) ?? Infinity;
      if (known < model.contextTokens) {
        model.contextTokens = known;
        this.cache.clear();
      }
    }
  }

  /** When the run began, as its prompts have it. */
  get today(): string | undefined {
    return this.pinned.today;
  }

  model(role: ModelRole): AgentModel {
    return this.pinned.models[role];
  }

  tokens(role: ModelRole, text: string): number {
    return this.ports.countTokens(text, this.model(role).factors);
  }

  outputLimit(role: ModelRole, wanted: number): number {
    return outputLimitOf(this.model(role), wanted);
  }

  inputLimit(role: ModelRole, output: number): number {
    return inputLimitOf(this.model(role), output);
  }

  /** What reading may still use. */
  get readingLeft(): { tokens: number; costUsd: number } {
    const { tokens, costUsd } = this.allowance.left;
    const cost = this.task.budget.max_cost_usd ?? Infinity;
    return {
      tokens: tokens - this.limits.tokens * WRITING_RESERVE,
      costUsd: cost === Infinity ? Infinity : costUsd - cost * WRITING_RESERVE,
    };
  }

  /** The most that a model call may take, in milliseconds: after it there is time to emit what is known. */
  get callMs(): number {
    const { modelTimeoutMs } = this.ports;
    const { deadlineMs } = this.task;
    const whole = deadlineMs - this.pinned.startMs;
    const lastMs = deadlineMs - Math.min(ENDING_MS, whole * ENDING_SHARE);
    return Math.min(modelTimeoutMs, Math.floor(lastMs - this.ports.now()));
  }

  /** Whether nothing more is to be read, decided once per key. */
  async isLate(key: string): Promise<boolean> {
    const { startMs, deadlineMs } = this.pinned;
    const soft = deadlineMs - (deadlineMs - startMs) * WRITING_RESERVE;
    const decided = await this.journal.decide(`clock:${key}`, () => {
      const now = this.ports.now();
      return { late: now >= soft, at: new Date(now).toISOString() };
    });
    if (decided.late) this.limitsReached.add('max_seconds');
    return decided.late;
  }
}
