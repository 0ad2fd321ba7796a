import { Injectable, Optional } from '@nestjs/common';
import { FollowerLimits } from '../../runs/http/events/follower-limits';
import { isFinal, isUnderWay } from '../../runs/record/run';
import type { ProgressData } from '../../runs/record/progress';
import type { LogEvent } from '../../runs/record/run-event';
import type { RunRecord } from '../../runs/record/run-record';
import { RunsService } from '../../runs/runs.service';
import type { McpCall, ReportProgress } from './mcp-call';

const MAX_MESSAGE = 300;

/** Waits for the ends of runs on behalf of calls. A wait that ends early changes nothing for its run. */
@Injectable()
export class RunWaits {
  constructor(
    private readonly runs: RunsService,
    @Optional() private readonly limits?: FollowerLimits,
  ) {}

  /**
   * Before anything is begun: a waiting call counts as a follower of events.
   * @throws AppError `rate_limited`.
   */
  async admit({ caller, response }: McpCall): Promise<void> {
    if (caller.account !== undefined)
      await this.limits?.follow(caller.account, response);
  }

  /** The record as it is once it has ended or needs a decision, or when the wait ends. */
  async wait(
    record: RunRecord,
    call: McpCall,
    timeoutMs = Infinity,
  ): Promise<RunRecord> {
    if (!isUnderWay(record.status)) return record;
    const { progress, wanted } = call;
    const done = new AbortController();
    const until = AbortSignal.any([wanted, done.signal]);
    const reporting = progress && this.report(record, progress, until);
    try {
      const later = await this.runs.wait(record.id, timeoutMs, wanted);
      // Its last events are reported before its result.
      if (isFinal(later.status)) await reporting;
      return later;
    } finally {
      done.abort();
    }
  }

  /** The state, and what happens from now on: a client that joins is not sent what is over. */
  private async report(
    { id, seq, status }: RunRecord,
    progress: ReportProgress,
    until: AbortSignal,
  ): Promise<void> {
    try {
      await progress({ progress: seq, message: status });
      for await (const event of this.runs.follow(id, seq, until)) {
        const message = messageOf(event);
        if (message) await progress({ progress: event.seq, message });
      }
    } catch {
      // Progress is a courtesy: the result arrives without it.
    }
  }
}

function messageOf({ type, status, data }: LogEvent): string | undefined {
  if (type === 'status') return status;
  if (type !== 'progress') return undefined;
  const { kind, detail } = JSON.parse(data) as ProgressData;
  return `${kind}: ${detail}`.slice(0, MAX_MESSAGE);
}
