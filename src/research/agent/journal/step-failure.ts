import { AppError } from '../../../platform/errors';
import { pauseAfter } from '../../../platform/pause';
import { RequestFormRefused } from '../../../llm/single-attempt/completion.types';
import { isRefusedForNow } from '../../../llm/upstream/endpoint-wait';
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
  /** The endpoint refused it for now, so that it counts against no limit: the step waits for as long as its run has time. */
  refused?: boolean;
  retryAfterMs?: number;
  /** Of the model, as a refusal of a prompt that is too long names it. */
  contextTokens?: number;
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

/** After a failure that proves that nothing was begun. */
const PACE = { firstMs: 500, maxMs: 30_000 };
/** The longest that the source of a page or of hits may ask for: there are others. */
const MAX_ASKED_MS = 30_000;
/** After an attempt that may have had its effect: what is over in a minute costs no repeats. */
const UNKNOWN_PACE = { firstMs: 4_000, maxMs: 60_000 };

interface Repeats {
  /** After attempts without any reply in their time: they have probably had their effect. */
  lost: number;
  /** After all attempts that may have had their effect. */
  unknown: number;
  /** After attempts that had none. */
  definite: number;
  /** Of both. */
  all: number;
}

/** Requests have fewer forms than that. */
const MAX_FORMS = 6;

const REPEATS: Record<Exclude<StepKind, 'local'>, Repeats> = {
  search: { lost: 3, unknown: 3, definite: 3, all: 3 },
  page: { lost: 3, unknown: 3, definite: 3, all: 3 },
  model: { lost: 1, unknown: 3, definite: 2, all: 3 },
};

/** Refusals for now that have entries of their own: the others share the number of the last. */
const MAX_REFUSALS = 3;

/** How the attempts at a step ended that gave no result. */
export interface Tally {
  /** Of `unknown`, those without a reply. */
  lost: number;
  unknown: number;
  definite: number;
  /** Of which the form was refused; they count as neither. */
  forms: number;
}

export function tally(attempts: ReadonlyMap<number, Attempt>): Tally {
  const all = [...attempts.values()];
  const forms = all.filter(({ form }) => form).length;
  const definite = all.filter((one) => one.failed && !one.unknown);
  const unknown = all.filter((one) => !definite.includes(one));
  const begun = definite.filter(
    ({ failed, refused }) => failed !== NOT_BEGUN && !refused,
  );
  return {
    forms,
    definite: begun.length - forms,
    unknown: unknown.length,
    lost: unknown.filter(
      ({ failed }) => !failed || failed === 'upstream_timeout',
    ).length,
  };
}

/** Whether a step may be attempted again after so many failures. */
export function mayRepeat(
  kind: Exclude<StepKind, 'local'>,
  { lost, unknown, definite, forms }: Tally,
): boolean {
  const limit = REPEATS[kind];
  return (
    forms <= MAX_FORMS &&
    lost <= limit.lost &&
    unknown <= limit.unknown &&
    definite <= limit.definite &&
    unknown + definite <= limit.all
  );
}

/**
 * The number of the next attempt. One that was refused for now leaves nothing that the next one could be taken for, so
 * after a few they share a number: an hour of refusals does not fill the journal.
 */
export function nextNumber(attempts: ReadonlyMap<number, Attempt>): number {
  const refusals = [...attempts.values()].filter(({ refused }) => refused);
  const isShared =
    refusals.length >= MAX_REFUSALS && attempts.get(attempts.size)?.refused;
  return attempts.size + (isShared ? 0 : 1);
}

/**
 * Before the next attempt, in ms: at least as long as the other side asks for.
 * @param failures of this worker at the step, before this one.
 */
export function pauseMs(
  kind: StepKind,
  { form, unknown, retryAfterMs }: Failure,
  failures: number,
): number {
  if (form) return 0;
  const askedMs = kind === 'model' ? Infinity : MAX_ASKED_MS;
  // Four times as long after each: there are few of them.
  return unknown && kind === 'model'
    ? pauseAfter(2 * failures, UNKNOWN_PACE, retryAfterMs)
    : pauseAfter(failures, { ...PACE, askedMs }, retryAfterMs);
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
      ...(isRefusedForNow(error) && { refused: true }),
      retryAfterMs: error.fault.retryAfterMs,
      contextTokens: error.fault.contextTokens,
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
