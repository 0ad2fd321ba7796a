import { AppError } from '../../../platform/errors';
import type { RunEvent } from '../../../runs/record/run-event';
import type { FieldsOf, RunField } from '../../../runs/record/run-fields';
import type { CostSource } from '../../../runs/record/run';

/**
 * What a step does, which decides how often it is repeated: `model` calls cost money, `search` and `page` only time, and
 * `local` work has no effect outside of the process.
 */
export type StepKind = 'search' | 'page' | 'model' | 'local';

/** What settled steps have used. */
export interface Spent {
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
  searches: number;
  pages: number;
}

/** What a call of a model needs of the budget of its key. */
export interface Price {
  /** The most that it costs; undefined for a model without a price. */
  usd?: number;
  /** What must be left for calls that follow. */
  freeUsd?: number;
  /** The model that the run is counted under. */
  model: string;
}

/** All that a run has used, and the most that its calls under way cost. */
export interface Used {
  spent: Spent;
  reservedUsd: number;
}

/** The result of an effect. Everything of it is written in one step. */
export interface StepResult<T> {
  /** JSON; also the first execution gets it as JSON gives it back. */
  value: T;
  /** A model call without `cost_usd`: it is not known what it cost. */
  spent?: Partial<Spent>;
  costSource?: CostSource;
  /** Of the whole run. */
  estimatedUsd?: number;
  events?: readonly RunEvent[];
  /** Added to the output text. Its `output_text` event is added unless `events` has one. */
  text?: string;
  fields?: FieldsOf<RunField>;
}

export interface StepCounts {
  settled: number;
  repeated: number;
  skipped: number;
}

/** @param attempt from 1; an attempt of an earlier worker counts. */
export type Effect<T> = (
  signal: AbortSignal,
  attempt: number,
) => Promise<StepResult<T>>;

/** What the run has found that another one continues. Steps are found by their sort and what they depend on. */
export interface EarlierResults {
  has(key: string, input: unknown): boolean;
  /** Of all steps of a sort, e.g. `search`, in their order. */
  values<T>(sort: string): T[];
  decision<T>(key: string): T | undefined;
}

/**
 * The memory of a run that is a function of its journal: a takeover calls the same function again, and what is settled is
 * not done again. Keys are structural, never in order of arrival, and each is used once in an execution.
 */
export interface Journal {
  /**
   * Executes the effect unless the journal has its result.
   * @param input as JSON: everything that the effect depends on.
   * @param price of one attempt: on record while it is under way. Where the budget of the key does not allow it, the step is
   * skipped with `budget_exceeded`.
   * @throws StepSkipped when it is out of repeats or the run out of time to wait, JournalMismatch, RunLost, AppError `output_too_large` or
   * `journal_too_large`, the signal's reason, or an error of the effect that is no failure of a step.
   */
  step<T>(
    key: string,
    input: unknown,
    kind: StepKind,
    effect: Effect<T>,
    price?: Price,
  ): Promise<T>;
  /** A value of the clock, a limit or chance: made once, then always the same. */
  decide<T>(key: string, make: () => T): Promise<T>;
  /** No step waits for the endpoint for longer than this, in ms; without it, steps wait until the run is stopped. */
  limitWaits(leftMs: () => number): void;
  /** Results of the run that this one continues. A step that has one there costs nothing. */
  readonly inheritance?: EarlierResults;
  /** The sum of what this execution has got so far: deterministic while no step is under way. */
  readonly spent: Spent;
  /** Of the whole journal, for the record; differs between executions. */
  readonly counts: StepCounts;
}

/** A step is out of repeats. `code`: of its last failure, or `interrupted` if its worker disappeared. */
export class StepSkipped extends Error {
  constructor(
    readonly key: string,
    readonly code: string,
    /** Of the model, where the prompt was too long for it and its endpoint names it. */
    readonly contextTokens?: number,
  ) {
    super(`Step ${key} is skipped: ${code}`);
  }
}

/** The journal has another input for a step than the run: its function has changed, or is not deterministic. */
export class JournalMismatch extends AppError {
  constructor(readonly key: string) {
    super('journal_mismatch');
  }
}
