import { isFinal, type Status } from '../run';
import { storedNumber, type StoredFields } from '../stored-fields';

/**
 * What an unfinished run waits for: its `time`; a `place` among those of the worker, the model or the key; the `budget` of
 * the key; a `worker`, since none is connected; the `endpoint` of a model or a search; or an `approval`.
 */
export const WAITING_FOR = [
  'time',
  'place',
  'budget',
  'worker',
  'endpoint',
  'approval',
] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/** What is known of a run besides its record. */
export interface Surroundings {
  now: number;
  /** Whether any worker is connected that takes such runs. */
  hasWorker: () => Promise<boolean>;
  /** The data of its last event, if that is progress. */
  lastProgress: () => Promise<string | undefined>;
}

/** Null: it has ended, or goes on. */
export async function waitingFor(
  fields: StoredFields,
  { now, hasWorker, lastProgress }: Surroundings,
): Promise<WaitingFor | null> {
  const status = fields.status as Status;
  if (isFinal(status)) return null;
  if (status === 'requires_action') return 'approval';
  const isHeld = Boolean(fields.worker) && storedNumber(fields.lease_ms) > now;
  if (status === 'queued' && storedNumber(fields.due_ms) > now) return 'time';
  if (!isHeld && !(await hasWorker())) return 'worker';
  if (status === 'queued')
    return fields.waits_for === 'budget' ? 'budget' : 'place';
  return WAITS.test((await lastProgress()) ?? '') ? 'endpoint' : null;
}

const WAITS = /^\{"kind":"waiting"/;
