import { Logger } from '@nestjs/common';
import { report } from '../../platform/metrics/facts';
import type { Claim } from '../store/run-claim';
import type { RunRecord } from '../record/run-record';
import type { Finish } from '../store/run.store';
import type { JobLog } from './job-log';
import { describeResult, type JobResult, resultOf } from './job-result';
import { type RunTrace, runTraceOf, traceEnd } from './run-trace';

const log = new Logger('Runs');

/**
 * The log lines, the metrics and the span of one run, and the log of its job: its start, each takeover and its end. Lines
 * have ids, names, codes and numbers only; nothing that a caller, a model or a tool has written.
 */
export class RunLog {
  private readonly run: object;
  private readonly kind: string;
  private readonly engine?: string;
  private readonly model?: string;
  private readonly begunAt: number;
  private readonly trace: RunTrace;

  constructor(
    claim: Pick<Claim, 'id' | 'fields' | 'ageMs'>,
    private readonly job: JobLog,
  ) {
    const { id, fields, ageMs } = claim;
    const { tool, caller, engine, model } = fields;
    [this.kind, this.engine, this.model] = [tool, engine, model];
    this.run = { ...named(id, tool, caller), ...(engine && { engine }) };
    this.begunAt = performance.now() - ageMs;
    this.trace = runTraceOf(claim);
  }

  /** A claim that goes on after a wait is not logged. */
  claimed(
    { fence, fields, tookOver, begins, crashes }: Claim,
    worker: string,
  ): void {
    const waitedMs = fence === '1' ? waitOf(fields) : undefined;
    report('run_claimed', { kind: this.kind, tookOver, waitedMs });
    if (tookOver) {
      log.log({ msg: 'Run taken over', ...this.run, crashes });
      this.job.write(
        `worker disappeared, taken over worker=${worker} crashes=${crashes}`,
      );
    } else if (fence === '1') {
      log.log({ msg: 'Run started', ...this.run });
      this.job.write(`claimed worker=${worker}`);
    } else if (begins) this.job.write(`continued worker=${worker}`);
  }

  /** It is suspected of crashing its workers, and waits for its turn. */
  quarantined(): void {
    report('run_quarantined', { kind: this.kind });
    this.job.write('quarantined');
  }

  /** This process shuts down, and another continues the run. */
  handedOver(): void {
    this.job.write('worker stops, handed over');
  }

  /** Until a decision is made. */
  suspended(): void {
    this.job.write('waiting for a decision');
  }

  /** Another worker has the run. */
  lost(): void {
    report('lease_lost', { kind: this.kind });
    this.job.write('taken over by another worker');
  }

  /** The queue delivers the run again. */
  repeated(): void {
    report('delivery_repeated', { kind: this.kind });
    this.job.write('failed unexpectedly, delivered again');
  }

  ended(ending: Finish): JobResult {
    const { status, error, fields, model = this.model } = ending;
    const seconds = (performance.now() - this.begunAt) / 1_000;
    report('run_ended', {
      kind: this.kind,
      engine: this.engine,
      model,
      status,
      code: error?.code,
      seconds,
      usage: fields?.usage,
      cost: fields?.cost,
      limitsReached: fields?.limits_reached,
    });
    traceEnd(this.trace, { status, code: error?.code, model });
    const claimed = { engine: this.engine, model: this.model };
    const result = resultOf(ending, claimed, seconds);
    log.log({ msg: 'Run ended', ...this.run, ...result });
    this.job.write(describeResult(result));
    return result;
  }
}

/** Of one that ended before a worker had it. */
export function logCancelled(record: RunRecord): void {
  const { id, tool, caller } = record;
  const end = { status: 'cancelled', code: 'cancelled' };
  report('run_ended', { kind: tool, ...end });
  traceEnd(record, end);
  log.log({ msg: 'Run ended', ...named(id, tool, caller), ...end });
}

/** Undefined for a run that a decision kept from beginning. */
function waitOf({
  created_ms,
  due_ms,
  started_ms,
  awaited,
}: Claim['fields']): number | undefined {
  if (awaited) return undefined;
  const since = Math.max(Number(created_ms), Number(due_ms || 0));
  return Number(started_ms) - since;
}

function named(id: string, tool: string, caller: string | undefined): object {
  return { id, kind: tool, ...(caller && { key: caller }) };
}
