import { AppError, type ErrorCode } from '../../platform/errors';
import type { Finish } from '../store/run-claim';
import type { FieldsOf } from '../record/run-fields';
import type { Suspension } from '../record/suspension';

/** A run that no worker holds for a while: a worker claims it again when it is due. */
export class Rescheduled {
  constructor(readonly dueMs: number) {}
}

/**
 * How a worker's hold on a run ends: with the end of the run, until it is due or a decision is made, or because the claim
 * is `lost` to another worker.
 */
export type Outcome = Finish | Rescheduled | Suspension | 'lost';

/** How a run ends that did not complete. `message`: instead of the sentence of the code; safe to show. */
export function ended(
  status: Finish['status'],
  code: ErrorCode,
  fields: FieldsOf<string> = {},
  message = new AppError(code).message,
): Finish {
  return { status, error: { code, message }, fields };
}
