import { AsyncLocalStorage } from 'node:async_hooks';
import type { RunDispatcher } from '../queue/run-dispatcher';
import type { RunEvent } from '../record/run-event';
import type { Claim } from '../store/run-claim';
import { storedObject } from '../record/stored-fields';
import type { Progress } from '../record/run';

/** What a run does, as far as its events and its record show it. */
type Stage =
  'purchased' | 'searching' | 'reading' | 'calling tools' | 'writing';

const OF_PROGRESS: Partial<Record<string, Stage>> = {
  web_search: 'searching',
  file_search: 'searching',
  open_page: 'reading',
  find_in_page: 'reading',
};
const OF_EVENT: Partial<Record<RunEvent['type'], Stage>> = {
  output_text: 'writing',
  delta: 'writing',
  tool_call: 'calling tools',
};

const logs = new AsyncLocalStorage<JobLog>();

/**
 * The log of one delivery on the dashboard: each stage when it is first reached. Lines are written without waiting for
 * them, and one that cannot be written is left out.
 */
export class JobLog {
  private readonly reached: Set<Stage>;

  /** A stage that the record shows already is not logged again by each delivery of a run that is polled. */
  constructor(
    private readonly dispatcher: RunDispatcher,
    private readonly claim: Pick<Claim, 'id' | 'fields' | 'text'>,
  ) {
    this.reached = new Set(stagesIn(claim));
  }

  /** @param line names, codes and numbers; nothing that a caller, a model or a tool has written. */
  write(line: string): void {
    this.dispatcher.log(this.claim.id, `${new Date().toISOString()} ${line}`);
  }

  reach(stage: Stage): void {
    if (this.reached.has(stage)) return;
    this.reached.add(stage);
    this.write(stage);
  }

  /** What `carry` does is logged here. */
  during<T>(carry: () => T): T {
    return logs.run(this, carry);
  }
}

/** Logs a stage of the run that is being carried. */
export function reachStage(stage: Stage): void {
  logs.getStore()?.reach(stage);
}

/** The same of the events that it has written. */
export function reachStagesOf(events: readonly RunEvent[]): void {
  const log = logs.getStore();
  if (!log) return;
  for (const event of events) {
    const stage =
      event.type === 'progress'
        ? OF_PROGRESS[event.data.kind]
        : OF_EVENT[event.type];
    if (stage) log.reach(stage);
  }
}

function* stagesIn({
  fields,
  text,
}: Pick<Claim, 'fields' | 'text'>): Generator<Stage> {
  const progress = storedObject<Progress>(fields.progress);
  if (fields.upstream_id) yield 'purchased';
  if (progress?.searches) yield 'searching';
  if (progress?.pages_opened) yield 'reading';
  if (text !== '') yield 'writing';
}
