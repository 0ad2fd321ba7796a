import { isErrorCode } from '../../../platform/errors';
import { pause } from '../../../platform/pause';
import {
  waitDetail,
  waitReasonOf,
  WaitReports,
} from '../../../llm/upstream/endpoint-wait';
import type { RunWriter } from '../../../runs/worker/run-writer';
import type { JournalTotals } from './journal-totals';

/** The waits of a run for its model endpoint, which its readers see. */
export class StepWaits {
  private readonly reports = new WaitReports();
  /** In ms; set once the run knows its own limit of time. */
  leftMs: () => number = () => Infinity;

  constructor(
    private readonly writer: RunWriter,
    private readonly totals: JournalTotals,
  ) {}

  /** Waits `ms`, or until the signal aborts. Returns false at once if the run has less time left. */
  async wait(code: string, ms: number, signal: AbortSignal): Promise<boolean> {
    if (ms > this.leftMs()) return false;
    if (isErrorCode(code) && this.reports.isDue(ms)) {
      const detail = waitDetail(waitReasonOf({ code }), ms);
      this.totals.lastStep = detail;
      const { progress } = this.totals.fields;
      await this.writer.append({
        events: [{ type: 'progress', data: { kind: 'waiting', detail } }],
        fields: { progress },
      });
    }
    await pause(ms, signal);
    return true;
  }
}
