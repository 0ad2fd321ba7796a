import { pause } from '../../../platform/pause';
import type { FieldsOf, RunField } from '../../../runs/record/run-fields';
import type { RunWriter } from '../../../runs/worker/run-writer';
import type { RunMoney } from './run-money';
import type { Effect, Price, StepKind, StepResult } from './journal';
import {
  asJson,
  type Attempt,
  attemptField,
  type Settled,
} from './journal-entries';
import type { JournalTotals } from './journal-totals';
import { perform } from './step-effect';
import {
  BUDGET_EXCEEDED,
  type Failure,
  failureOf,
  mayRepeat,
  NOT_BEGUN,
  pauseMs,
  tally,
} from './step-failure';

export interface Signals {
  /** Of the run: no attempt begins once it is aborted. */
  signal: AbortSignal;
  /** Ends effects under way. Aborts with `signal`, or a moment after it. */
  effects: AbortSignal;
}

export interface StepOptions extends Signals {
  /** The budget of its key; undefined: none. */
  money?: RunMoney;
}

/** How a step ended, not yet on record. */
export interface StepEnd {
  settled: Settled;
  result?: StepResult<unknown>;
  /** To be written with it. */
  entries?: Record<string, string>;
}

/** The attempts at one step, each on record before its effect begins. */
export class StepAttempts {
  constructor(
    private readonly key: string,
    private readonly input: string,
    /** By number, from 1. */
    private readonly attempts: Map<number, Attempt>,
    private readonly writer: RunWriter,
    private readonly totals: JournalTotals,
    private readonly signals: StepOptions,
  ) {}

  /** Attempts the step until it has a result or is out of repeats. @throws what is no failure of a step. */
  async toEnd(
    kind: StepKind,
    effect: Effect<unknown>,
    price?: Price,
  ): Promise<StepEnd> {
    const { attempts, signals } = this;
    if (kind === 'local') {
      signals.signal.throwIfAborted();
      return this.settled(0, await perform(effect, 1, signals.effects));
    }
    if (attempts.size > 0 && !mayRepeat(kind, tally(attempts)))
      return this.skipped(attempts.get(attempts.size)?.failed);
    for (;;) {
      const n = attempts.size + 1;
      const outcome = await this.reserved(price, n, effect);
      if (!('repeat' in outcome)) return this.settled(n, outcome);
      const { code: failed, unknown, form } = outcome;
      attempts.set(n, {
        input: this.input,
        failed,
        ...(unknown && { unknown }),
        ...(form && { form }),
      });
      if (unknown) this.totals.addAmbiguous(this.key, n);
      if (!outcome.repeat || !mayRepeat(kind, tally(attempts)))
        return this.skipped(failed, this.entryOf(n));
      await this.writer.append({ entries: this.entryOf(n) });
      await pause(pauseMs(outcome, n), signals.signal);
    }
  }

  /** An attempt, with what it costs at most on record from its intent to its end. */
  private async reserved(
    price: Price | undefined,
    n: number,
    effect: Effect<unknown>,
  ): Promise<StepResult<unknown> | Failure> {
    const { usd } = price ?? {};
    const release = usd === undefined ? undefined : this.totals.reserve(usd);
    const { money } = this.signals;
    try {
      if (price && money && !(await money.affords(this.totals.used, price)))
        return BUDGET_EXCEEDED;
      await this.begin(n, release && this.totals.costFields);
      return await this.attempt(effect, n);
    } finally {
      release?.();
    }
  }

  private async begin(n: number, fields?: FieldsOf<RunField>): Promise<void> {
    this.signals.signal.throwIfAborted();
    this.attempts.set(n, { input: this.input });
    if (n > 1) this.totals.addRepeat();
    const entries = this.entryOf(n);
    await this.writer.append({ entries, ...(fields && { fields }) });
    if (this.signals.signal.aborted) await this.withdraw(n);
  }

  /** A stop came between the intent and the effect, which therefore has not begun. @throws the signal's reason. */
  private async withdraw(n: number): Promise<never> {
    this.attempts.set(n, { input: this.input, failed: NOT_BEGUN });
    const entries = this.entryOf(n);
    await this.writer.append({ entries }).catch(() => undefined);
    throw this.signals.signal.reason;
  }

  private async attempt(
    effect: Effect<unknown>,
    n: number,
  ): Promise<StepResult<unknown> | Failure> {
    try {
      return await perform(effect, n, this.signals.effects);
    } catch (error) {
      const { effects } = this.signals;
      const failure = effects.aborted ? undefined : failureOf(error);
      if (failure) return failure;
      // Its entry has no outcome, and this worker may be the one that writes the end of the run.
      this.totals.addAmbiguous(this.key, n);
      effects.throwIfAborted();
      throw error;
    }
  }

  private settled(attempt: number, result: StepResult<unknown>): StepEnd {
    const { input } = this;
    const { spent, costSource, estimatedUsd } = result;
    const value = asJson(result.value);
    return {
      settled: {
        input,
        attempt,
        value,
        ...(spent && { spent }),
        ...(costSource && { cost_source: costSource }),
        ...(estimatedUsd !== undefined && { estimated_usd: estimatedUsd }),
      },
      result,
    };
  }

  private skipped(
    code = 'interrupted',
    entries: Record<string, string> = {},
  ): StepEnd {
    return { settled: { input: this.input, skipped: code }, entries };
  }

  private entryOf(n: number): Record<string, string> {
    return {
      [attemptField(this.key, n)]: JSON.stringify(this.attempts.get(n)),
    };
  }
}
