import { createHash } from 'node:crypto';
import {
  type Effect,
  type Journal,
  type Price,
  type Spent,
  type StepCounts,
  type StepKind,
  type StepResult,
  StepSkipped,
} from '../../../src/research/agent/journal/journal';

/** A worker that disappears. */
export class Crash extends Error {}

interface Entry {
  input: string;
  value?: string;
  skipped?: string;
  contextTokens?: number;
}

const REPEATS: Record<StepKind, number> = {
  search: 3,
  page: 3,
  model: 2,
  local: 0,
};

/** A journal in memory that keeps its entries over executions, and can end one at any of its boundaries. */
export class MemoryJournal implements Journal {
  readonly entries = new Map<string, Entry>();
  readonly events: { type: string; data: unknown }[] = [];
  text = '';
  /** Of the record. */
  readonly fields: Record<string, string | undefined> = {};
  /** The keys of all effects that began, also of those whose result was lost. */
  readonly begun: string[] = [];
  readonly spent: Spent = {
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
    searches: 0,
    pages: 0,
  };
  readonly counts: StepCounts = { settled: 0, repeated: 0, skipped: 0 };
  /** Boundaries that were passed: before an effect, after it, and after its result is on record. */
  boundaries = 0;
  /** The boundary at which the execution ends, once. */
  crashAt?: number;
  /** What was spent and what calls under way could cost, at its highest; NaN after a call without a reservation. */
  mostUsd = 0;
  /** The budget of the key, for all its runs. */
  keyBudgetUsd = Infinity;
  private reserved = 0;
  private dead = false;
  private used = new Set<string>();

  /** Another worker takes over: what is on record stays. */
  takeOver(): this {
    this.dead = false;
    this.used = new Set();
    return this;
  }

  async step<T>(
    key: string,
    input: unknown,
    kind: StepKind,
    effect: Effect<T>,
    price?: Price,
  ): Promise<T> {
    const hash = hashOf(input);
    const settled = this.settled(key, hash);
    if (settled) return valueOf<T>(key, settled);
    this.boundary();
    const usd = price?.usd ?? NaN;
    if (kind === 'model' && !this.affords(usd + (price?.freeUsd ?? 0)))
      return valueOf<T>(key, this.skip(key, hash, 'budget_exceeded'));
    if (kind === 'model') this.reserve(usd);
    const entry = await this.attempts(key, hash, kind, effect);
    if (kind === 'model') this.reserved -= usd;
    this.boundary();
    return valueOf<T>(key, entry);
  }

  decide<T>(key: string, make: () => T): Promise<T> {
    const entry = this.settled(key, '') ?? this.settle(key, '', make());
    return Promise.resolve(valueOf<T>(key, entry));
  }

  /** It repeats at once. */
  limitWaits(): void {}

  private affords(usd: number): boolean {
    return !(this.spent.cost_usd + this.reserved + usd > this.keyBudgetUsd);
  }

  private reserve(usd: number): void {
    this.reserved += usd;
    const most = this.spent.cost_usd + this.reserved;
    if (!(most <= this.mostUsd)) this.mostUsd = most;
  }

  private async attempts<T>(
    key: string,
    hash: string,
    kind: StepKind,
    effect: Effect<T>,
  ): Promise<Entry> {
    const { signal } = new AbortController();
    for (let attempt = 1; ; attempt += 1) {
      this.begun.push(key);
      try {
        const result = await effect(signal, attempt);
        this.boundary();
        return this.commit(key, hash, result);
      } catch (error) {
        const code = codeOf(error);
        if (code === undefined) throw error;
        this.counts.repeated += 1;
        if (attempt > REPEATS[kind] || code === 'context_length_exceeded') {
          const { fault } = error as { fault?: { contextTokens?: number } };
          return this.skip(key, hash, code, fault?.contextTokens);
        }
      }
    }
  }

  private skip(
    key: string,
    input: string,
    skipped: string,
    contextTokens?: number,
  ): Entry {
    const entry = { input, skipped, contextTokens };
    this.counts.skipped += 1;
    this.entries.set(key, entry);
    return entry;
  }

  private commit<T>(key: string, hash: string, result: StepResult<T>): Entry {
    const entry = this.settle(key, hash, result.value);
    this.counts.settled += 1;
    this.events.push(...(result.events ?? []));
    this.text += result.text ?? '';
    Object.assign(this.fields, result.fields);
    for (const [name, amount] of Object.entries(result.spent ?? {}))
      this.spent[name as keyof Spent] += amount ?? 0;
    return entry;
  }

  private settle(key: string, input: string, value: unknown): Entry {
    const entry = { input, value: JSON.stringify(value) };
    this.entries.set(key, entry);
    return entry;
  }

  private settled(key: string, hash: string): Entry | undefined {
    if (this.dead) throw new Crash();
    if (this.used.has(key)) throw new Error(`Step ${key} is used twice`);
    this.used.add(key);
    const entry = this.entries.get(key);
    if (entry && entry.input !== hash) throw new Error(`Mismatch at ${key}`);
    return entry;
  }

  private boundary(): void {
    if (this.dead) throw new Crash();
    this.boundaries += 1;
    if (this.boundaries !== this.crashAt) return;
    this.dead = true;
    throw new Crash();
  }
}

function valueOf<T>(key: string, { value, ...entry }: Entry): T {
  const { skipped, contextTokens } = entry;
  if (skipped !== undefined) throw new StepSkipped(key, skipped, contextTokens);
  return (value === undefined ? undefined : JSON.parse(value)) as T;
}

function codeOf(error: unknown): string | undefined {
  const { effect, code, fault, tried } = error as Record<string, unknown>;
  if (effect === 'none' || effect === 'unknown') return String(code);
  if (typeof fault === 'string') return fault;
  return Array.isArray(tried) ? 'search' : undefined;
}

function hashOf(input: unknown): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex');
}
