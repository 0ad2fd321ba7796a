import { AppError } from '../../../platform/errors';
import { pauseAfter } from '../../../platform/pause';
import { RequestFormRefused } from '../../../llm/single-attempt/completion.types';
import { isFinal } from '../../../llm/upstream/upstream-cause';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import type { StepKind } from './journal';
import type { Attempt } from './journal-entries';

/** How an attempt at a step failed. */
export interface Failure {
  /** Of ERRORS, or of the room that failed. */
  code: string;
  /** The effect may have happened, and may have cost something. */
  unknown: boolean;
  /** Another attempt may succeed. */
  repeat: boolean;
  /** Only the form of the request was refused: the next attempt takes another one, so it follows at once. */
  form?: boolean;
  retryAfterMs?: number;
}

/** Faults of pages and searches that the next attempt may not have. */
const PASSING = [
  'timeout',
  'unreachable',
  'rate_limited',
  'circuit_open',
  'bad_reply',
  'blocked',
];

/** The code of an attempt that was stopped before its effect: it counts against no limit. */
export const NOT_BEGUN = 'not_begun';

/** The budget of the key does not allow the attempt. */
export const BUDGET_EXCEEDED: Failure = {
  code: 'budget_exceeded',
  unknown: false,
  repeat: false,
};

const PACE = { firstMs: 500, maxMs: 30_000, askedMs: 30_000 };

interface Repeats {
  /** After attempts that may have had their effect. */
  unknown: number;
  /** After attempts that had none. */
  definite: number;
  /** Of both. */
  all: number;
}

/** Requests have fewer forms than that. */
const MAX_FORMS = 6;

const REPEATS: Record<Exclude<StepKind, 'local'>, Repeats> = {
  search: { unknown: 3, definite: 3, all: 3 },
  page: { unknown: 3, definite: 3, all: 3 },
  model: { unknown: 1, definite: 2, all: 3 },
};

/** How the attempts at a step ended that gave no result. */
export interface Tally {
  unknown: number;
  definite: number;
  /** Of which the form was refused; they count as neither. */
  forms: number;
}

export function tally(attempts: ReadonlyMap<number, Attempt>): Tally {
  const all = [...attempts.values()];
  const forms = all.filter(({ form }) => form).length;
  const definite = all.filter((one) => one.failed && !one.unknown);
  const begun = definite.filter(({ failed }) => failed !== NOT_BEGUN).length;
  return {
    forms,
    definite: begun - forms,
    unknown: all.length - definite.length,
  };
}

/** Whether a step may be attempted again after so many failures. */
export function mayRepeat(
  kind: Exclude<StepKind, 'local'>,
  { unknown, definite, forms }: Tally,
): boolean {
  const limit = REPEATS[kind];
  return (
    forms <= MAX_FORMS &&
    unknown <= limit.unknown &&
    definite <= limit.definite &&
    unknown + definite <= limit.all
  );
}

/** Before the next attempt: as long as the endpoint asks for, within a limit. */
export function pauseMs(
  { form, retryAfterMs }: Failure,
  attempt: number,
): number {
  if (form) return 0;
  return pauseAfter(attempt - 1, PACE, retryAfterMs);
}

/** Reads what an effect threw. Undefined: that is no failure of a step, but a fault of the program or the end of the run. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof RequestFormRefused)
    return { code: error.code, unknown: false, repeat: true, form: true };
  if (error instanceof UpstreamError)
    return {
      code: error.code,
      unknown: error.effect === 'unknown',
      // A refused parameter is left out of the next attempt.
      repeat: error.code === 'upstream_rejected' || !isFinal(error.code),
      retryAfterMs: error.fault.retryAfterMs,
    };
  if (error instanceof AppError || !(error instanceof Error)) return undefined;
  const { fault, tried } = error as { fault?: unknown; tried?: unknown };
  if (typeof fault === 'string') return passing([fault]);
  if (!Array.isArray(tried)) return undefined;
  return passing(tried.map((one: { fault?: unknown }) => String(one.fault)));
}

/** Of a page, or of a search that asked several providers. */
function passing(faults: string[]): Failure {
  const found = faults.find((fault) => PASSING.includes(fault));
  return {
    code: found ?? faults.at(-1) ?? 'unavailable',
    unknown: false,
    repeat: found !== undefined,
  };
}
