import type { FieldsOf, RunField } from '../../../runs/record/run-fields';
import type {
  Cost,
  CostSource,
  Progress,
  Steps,
  Usage,
} from '../../../runs/record/run';
import type { Spent, StepCounts, Used } from './journal';
import {
  ambiguousIn,
  attemptField,
  type Settled,
  type StepRecord,
} from './journal-entries';

const NANO = 1e9;
/** Ambiguous attempts that a record lists. */
export const MAX_LISTED = 100;

/** Sums over steps. Money is summed in whole billionths, so that the order of steps does not change the sum. */
export class JournalTotals {
  private readonly sums = {
    input: 0,
    output: 0,
    nano: 0,
    searches: 0,
    pages: 0,
  };
  /** The first hundred. */
  readonly ambiguous: string[] = [];
  lastStep: string | null = null;
  private costSource?: CostSource;
  private unpriced = false;
  private estimated: number | null = null;
  /** Of calls under way, in billionths; undefined where no call has a price. */
  private reserved?: number;
  private settled = 0;
  private skipped = 0;
  private repeated = 0;

  add(settled: Settled): void {
    if ('skipped' in settled) this.skipped += 1;
    else if (!settled.decided) this.settled += 1;
    if ('skipped' in settled) return;
    const { spent = {}, cost_source, estimated_usd } = settled;
    this.estimated = estimated_usd ?? this.estimated;
    // What a part of the calls cost is at the configured prices: so is the sum.
    if (cost_source && this.costSource !== 'prices')
      this.costSource = cost_source;
    if (spent.input_tokens !== undefined && spent.cost_usd === undefined)
      this.unpriced = true;
    this.sums.input += spent.input_tokens ?? 0;
    this.sums.output += spent.output_tokens ?? 0;
    this.sums.nano += Math.round((spent.cost_usd ?? 0) * NANO);
    this.sums.searches += spent.searches ?? 0;
    this.sums.pages += spent.pages ?? 0;
  }

  /** Of what is on record already. */
  addStep(key: string, step: StepRecord): void {
    if (step.settled) this.add(step.settled);
    this.repeated += Math.max(0, step.attempts.size - 1);
    for (const n of ambiguousIn(step)) this.addAmbiguous(key, n);
  }

  addRepeat(): void {
    this.repeated += 1;
  }

  /** An attempt that may have had its effect although the step has no result of it. */
  addAmbiguous(key: string, attempt: number): void {
    if (this.ambiguous.length < MAX_LISTED)
      this.ambiguous.push(attemptField(key, attempt));
  }

  get spent(): Spent {
    const { input, output, nano, searches, pages } = this.sums;
    return {
      input_tokens: input,
      output_tokens: output,
      cost_usd: nano / NANO,
      searches,
      pages,
    };
  }

  get used(): Used {
    return { spent: this.spent, reservedUsd: (this.reserved ?? 0) / NANO };
  }

  /** For the record: what is used so far, and what was done last. */
  get fields(): FieldsOf<RunField> {
    const { input, output, searches, pages } = this.sums;
    const usage: Usage = {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      tool_calls: searches + pages,
    };
    const progress: Progress = {
      searches,
      pages_opened: pages,
      last_step: this.lastStep,
    };
    const steps: Steps = { ...this.counts, ambiguous: this.ambiguous };
    return {
      usage: JSON.stringify(usage),
      progress: JSON.stringify(progress),
      steps: JSON.stringify(steps),
      ...this.costFields,
    };
  }

  get costFields(): { cost: string } {
    return { cost: this.cost ? JSON.stringify(this.cost) : '' };
  }

  /** Reserves what a call costs at most. Returns what ends the reservation. */
  reserve(usd: number): () => void {
    const nano = Math.round(usd * NANO);
    this.reserved = (this.reserved ?? 0) + nano;
    return () => (this.reserved! -= nano);
  }

  /** Undefined while nothing is known, and where the cost of a call is not. */
  private get cost(): Cost | undefined {
    const { unpriced, sums } = this;
    const byPrices = this.reserved === undefined ? undefined : 'prices';
    const source = this.costSource ?? byPrices;
    if (!source || unpriced) return undefined;
    const reserved = this.reserved ?? (source === 'prices' ? 0 : null);
    return {
      currency: 'USD',
      estimated: this.estimated,
      reserved: reserved && reserved / NANO,
      spent: sums.nano / NANO,
      source,
    };
  }

  get counts(): StepCounts {
    const { settled, repeated, skipped } = this;
    return { settled, repeated, skipped };
  }
}
