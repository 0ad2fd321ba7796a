import type { ErrorCode } from '../../platform/errors';
import { isFinal } from './upstream-cause';
import type { UpstreamError } from './upstream-error';

const WAIT_REASONS = {
  limited: 'The model endpoint is limiting requests',
  unreachable: 'The model endpoint cannot be reached',
  failing: 'The model endpoint is failing',
  unreadable: 'The model endpoint answers with what is not a response',
};

/** Why a run waits for the endpoint. */
export type WaitReason = keyof typeof WAIT_REASONS;

export function waitReasonOf({
  code,
  unreadable,
}: {
  code: ErrorCode;
  unreadable?: boolean;
}): WaitReason {
  if (unreadable) return 'unreadable';
  if (code === 'upstream_rate_limited') return 'limited';
  return code === 'upstream_unreachable' ? 'unreachable' : 'failing';
}

/** The detail of a `waiting` step. It names no host, because every reader of the run sees it. */
export function waitDetail(reason: WaitReason, ms: number): string {
  return `${WAIT_REASONS[reason]}; the next try is in ${Math.ceil(ms / 1000)} s`;
}

/** The shortest time between two reports of a wait. */
const REPORT_EVERY_MS = 60_000;
/** Shorter waits are not reported. */
const MIN_REPORTED_MS = 500;

/** Of the waits of one run, which are worth an event: at most one a minute. */
export class WaitReports {
  private reportedAt = -Infinity;

  isDue(ms: number): boolean {
    const now = performance.now();
    if (ms < MIN_REPORTED_MS || now - this.reportedAt < REPORT_EVERY_MS)
      return false;
    this.reportedAt = now;
    return true;
  }
}

/**
 * The endpoint refused the request for now, and nothing was begun: the same request may be sent again for as long as its
 * caller has time. Waiting restores no exhausted quota and implements nothing that an endpoint lacks.
 */
export function isRefusedForNow(error: UpstreamError): boolean {
  return error.effect === 'none' && isPassing(error);
}

/** Whether the same request may succeed later. */
export function isPassing({ definite, code, fault }: UpstreamError): boolean {
  return !definite && ![501, 505].includes(fault.status ?? 0) && !isFinal(code);
}
