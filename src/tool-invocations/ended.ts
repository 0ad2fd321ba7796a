import { AppError, type ErrorCode } from '../errors';
import type { Finish } from './invocation.store';

/** How a run ends that did not complete. */
export function ended(
  status: Finish['status'],
  code: ErrorCode,
  fields: Record<string, string> = {},
): Finish {
  const { message } = new AppError(code);
  return { status, error: { code, message }, fields };
}
