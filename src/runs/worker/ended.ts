import { AppError, type ErrorCode } from '../../errors';
import type { Finish } from '../record/run.store';

/** How a run ends that did not complete. `message`: instead of the sentence of the code; safe to show. */
export function ended(
  status: Finish['status'],
  code: ErrorCode,
  fields: Record<string, string> = {},
  message = new AppError(code).message,
): Finish {
  return { status, error: { code, message }, fields };
}
