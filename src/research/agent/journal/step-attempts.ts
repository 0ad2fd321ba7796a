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
  nextNumber,
  NOT_BEGUN,
  pauseMs,
  tally,
} from './step-failure';
import type { StepWaits } from './step-waits';

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

/** What all steps of a run share. */
export interface StepRoom extends StepOptions {
  writer: RunWriter;
  totals: JournalTotals;
  waits: StepWaits;
}

/** The attempts at one step, each on record before its effect begins. */
export class StepAttempts {
  constructor(
    private readonly key: string,
    private readonly input: string,
    /** By number, from 1. */
    private readonly attempts: Map<number, Attempt>,
    private readonly room: StepRoom,
  ) {}

  /**
   * Attempts the step until it has a result, is out of repeats, or the run has no time left to wait for another attempt.
   * @throws what is no failure of a step.
   */
  async toEnd(
    kind: StepKind,
    effect: Effect<unknown>,
    price?: Price,
  ): Promise<StepEnd> {
    const { attempts, room } = this;
    if (kind === 'local') {
      room.signal.throwIfAborted();
      return this.settled(0, await perform(effect, 1, room.effects));
    }
    if (attempts.size > 0 && !mayRepeat(kind, tally(attempts)))
      return this.skipped(attempts.get(attempts.size)?.failed);
    for (let definite = 0; ;) {
      const n = nextNumber(attempts);
      const outcome = await this.reserved(price, n, effect);
      if (!('repeat' in outcome)) return this.settled(n, outcome);
      const { code: failed, unknown, form, refused } = outcome;
      attempts.set(n, {
        input: this.input,
        failed,
        ...(unknown && { unknown }),
        ...(form && { form }),
        ...(refused && { refused }),
      });
      if (unknown) room.totals.addAmbiguous(this.key, n);
      const ended = tally(attempts);
      if (!outcome.repeat || !mayRepeat(kind, ended))
        return this.skipped(failed, this.entryOf(n), outcome.contextTokens);
      await room.writer.append({ entries: this.entryOf(n) });
      const ms = pauseMs(kind, outcome, unknown ? ended.unknown - 1 : definite);
      if (!unknown && !form) definite += 1;
      if (!(await room.waits.wait(failed, ms, room.signal)))
        return this.skipped(failed);
    }
  }

  /** An attempt, with what it costs at most on record from its intent to its end. */
  private async reserved(
    price: Price | undefined,
    n: number,
    effect: Effect<unknown>,
  ): Promise<StepResult<unknown> | Failure> {
    const { usd } = price ?? {};
    const release =
      usd === undefined ? undefined : this.room.totals.reserve(usd);
    const { money } = this.room;
    try {
      if (
        price &&
        money &&
        !(await money.affords(this.room.totals.used, price))
      )
        return BUDGET_EXCEEDED;
      await this.begin(n, release && this.room.totals.costFields);
      return await this.attempt(effect, n);
    } finally {
      release?.();
    }
  }

  private async begin(n: number, fields?: FieldsOf<RunField>): Promise<void> {
    this.room.signal.throwIfAborted();
    const isNew = !this.attempts.has(n);
    this.attempts.set(n, { input: this.input });
    if (n > 1 && isNew) this.room.totals.addRepeat();
    const entries = this.entryOf(n);
    await this.room.writer.append({ entries, ...(fields && { fields }) });
    if (this.room.signal.aborted) await this.withdraw(n);
  }

  /** A stop came between the intent and the effect, which therefore has not begun. @throws the signal's reason. */
  private async withdraw(n: number): Promise<never> {
    this.attempts.set(n, { input: this.input, failed: NOT_BEGUN });
    const entries = this.entryOf(n);
    await this.room.writer.append({ entries }).catch(() => undefined);
    throw this.room.signal.reason;
  }

  private async attempt(
    effect: Effect<unknown>,
    n: number,
  ): Promise<StepResult<unknown> | Failure> {
    try {
      return await perform(effect, n, this.room.effects);
    } catch (error) {
      const { effects } = this.room;
      const failure = effects.aborted ? undefined : failureOf(error);
      if (failure) return failure;
      // Its entry has no outcome, and this worker may be the one that writes the end of the run.
      this.room.totals.addAmbiguous(this.key, n);
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
    contextTokens?: number,
  ): StepEnd {
    const { input } = this;
    const context = contextTokens && { context_tokens: contextTokens };
    return { settled: { input, skipped: code, ...context }, entries };
  }

  private entryOf(n: number): Record<string, string> {
    return {
      [attemptField(this.key, n)]: JSON.stringify(this.attempts.get(n)),
    };
  }
}
