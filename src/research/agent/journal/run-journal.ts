import type { FieldsOf, RunField } from '../../../runs/record/run-fields';
import type { RunWriter } from '../../../runs/worker/run-writer';
import type { Inheritance } from './inheritance';
import {
  type Effect,
  type Journal,
  JournalMismatch,
  type Price,
  type Spent,
  type StepCounts,
  type StepKind,
  StepSkipped,
  type Used,
} from './journal';
import {
  asJson,
  checkKey,
  DECISION,
  hashOf,
  type Settled,
  type StepRecord,
} from './journal-entries';
import { JournalTotals } from './journal-totals';
import { StepAttempts, type StepEnd, type StepOptions } from './step-attempts';
import { StepWaits } from './step-waits';

export interface JournalOptions extends StepOptions {
  /** How many workers have disappeared with this run: progress resets the count. */
  crashes: number;
  /** The last progress on record. */
  lastStep?: string | null;
  /** What it has from the run that it continues. */
  inheritance?: Inheritance;
}

/** The journal of a run that this worker has claimed. */
export class RunJournal implements Journal {
  private readonly used = new Set<string>();
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly consumed = new JournalTotals();
  private readonly total = new JournalTotals();
  private readonly waits: StepWaits;
  private fault?: unknown;
  private crashed: boolean;
  private emitted = false;

  /** @param steps as they are on record. Each is dropped when the execution gets to it. */
  constructor(
    private readonly writer: RunWriter,
    private readonly steps: Map<string, StepRecord>,
    private readonly options: JournalOptions,
  ) {
    this.crashed = options.crashes > 0;
    this.waits = new StepWaits(writer, this.total);
    this.total.lastStep = options.lastStep ?? null;
    for (const [key, step] of steps) this.total.addStep(key, step);
  }

  get inheritance(): Inheritance | undefined {
    return this.options.inheritance;
  }

  get spent(): Spent {
    return this.consumed.spent;
  }

  get counts(): StepCounts {
    return this.total.counts;
  }

  /** Of the whole journal, also what this execution has not got to. */
  get spentInTotal(): Spent {
    return this.total.spent;
  }

  /** The same, with what is reserved. */
  get bill(): Used {
    return this.total.used;
  }

  /** Text was written by this execution. */
  get hasText(): boolean {
    return this.emitted;
  }

  /** What the record shows of all steps. */
  get fields(): FieldsOf<RunField> {
    return this.total.fields;
  }

  /** Attempts that may have had their effect although the step has no result of them; the first hundred. */
  get ambiguous(): readonly string[] {
    return this.total.ambiguous;
  }

  step<T>(
    key: string,
    input: unknown,
    kind: StepKind,
    effect: Effect<T>,
    price?: Price,
  ): Promise<T> {
    return this.track(() =>
      this.execute(key, hashOf(input), kind, effect, price),
    );
  }

  decide<T>(key: string, make: () => T): Promise<T> {
    return this.track(async () => {
      const { settled } = this.begin(key, DECISION);
      if (settled) return this.resultOf<T>(key, settled);
      const value = asJson(make());
      const decision = { input: DECISION, attempt: 0, value, decided: true };
      await this.commit(key, { settled: decision });
      return value;
    });
  }

  limitWaits(leftMs: () => number): void {
    this.waits.leftMs = leftMs;
  }

  /** Resolves once no step is under way. @throws the first error of a step that was not a skip, whoever has caught it. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    if (this.fault !== undefined) throw this.fault as Error;
  }

  /** After an error that is no skip the run is about to end: no further step begins. */
  private track<T>(execute: () => Promise<T>): Promise<T> {
    const step = this.fault === undefined ? execute() : this.refuse<T>();
    const tracked: Promise<unknown> = step
      .catch((error: unknown) => {
        if (!(error instanceof StepSkipped)) this.fault ??= error;
      })
      .finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
    return step;
  }

  private refuse<T>(): Promise<T> {
    return Promise.reject<T>(this.fault as Error);
  }

  private async execute<T>(
    key: string,
    input: string,
    kind: StepKind,
    effect: Effect<T>,
    price?: Price,
  ): Promise<T> {
    const { settled, attempts } = this.begin(key, input);
    if (settled) return this.resultOf<T>(key, settled);
    const inherited = this.inheritance?.find(key, input);
    if (inherited) return inherited.value as T;
    const { writer, total: totals, waits, options } = this;
    const room = { ...options, writer, totals, waits };
    const step = new StepAttempts(key, input, attempts, room);
    const end = await step.toEnd(kind, effect, price);
    await this.commit(key, end);
    return this.resultOf<T>(key, end.settled);
  }

  /** The record of a step, which the execution gets to once. */
  private begin(key: string, input: string): StepRecord {
    checkKey(key);
    if (this.used.has(key)) throw new Error(`Step ${key} is used twice`);
    this.used.add(key);
    const step: StepRecord = this.steps.get(key) ?? { attempts: new Map() };
    this.steps.delete(key);
    const { settled, attempts } = step;
    const known = [...attempts.values(), ...(settled ? [settled] : [])];
    if (known.some((one) => one.input !== input))
      throw new JournalMismatch(key);
    return step;
  }

  private resultOf<T>(key: string, settled: Settled): T {
    this.consumed.add(settled);
    if ('skipped' in settled)
      throw new StepSkipped(key, settled.skipped, settled.context_tokens);
    return settled.value as T;
  }

  private async commit(
    key: string,
    { settled, result, entries }: StepEnd,
  ): Promise<void> {
    const { events = [], fields } = result ?? {};
    const text = (result?.text ?? '').toWellFormed();
    const emitted = events.some(({ type }) => type === 'output_text');
    const own = { type: 'output_text' as const, data: { text } };
    this.total.add(settled);
    for (const event of events)
      if (event.type === 'progress') this.total.lastStep = event.data.detail;
    await this.writer.append({
      events: text && !emitted ? [...events, own] : [...events],
      text,
      fields: {
        ...this.total.fields,
        ...fields,
        ...(this.crashed && { crashes: '0' }),
      },
      entries: { ...entries, [key]: JSON.stringify(settled) },
    });
    this.crashed = false;
    this.emitted ||= text.trim() !== '';
  }
}
