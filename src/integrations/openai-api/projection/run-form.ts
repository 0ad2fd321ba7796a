import type { AppError } from '../../../platform/errors';
import type { SseFrame } from '../../../platform/http/sse';
import type { LogEvent } from '../../../runs/record/run-event';
import type { RunRecord } from '../../../runs/record/run-record';
import type { ShownRun } from '../response-request';

/** What a run is for its reader: a response, or a completion. */
export interface RunForm {
  readonly run: ShownRun;
  /** Of a run that has ended. @throws AppError in its place. */
  whole(record: RunRecord): object | Promise<object>;
  /** In its place, where its status is sent already. `record`: as it was last known. */
  failed(error: AppError, record: RunRecord): object;
  /** Live where the run has not ended. @throws AppError `shutting_down` when `wanted` aborts. */
  frames(wanted: AbortSignal): AsyncIterable<SseFrame>;
}

/** Makes the events of a form of the event log of a run. */
export interface Projection<Event> {
  /** Of every event of the log but the last, in order. */
  take(event: LogEvent): Iterable<Event>;
  /** In the place of the last: the end, from the record. */
  end(record: RunRecord): Iterable<Event>;
  /** The run was deleted while it was read. */
  gone(): Iterable<Event>;
}
