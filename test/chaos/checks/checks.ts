import { checkAccounts } from './account.checks';
import { checkAgentRun } from './agent.checks';
import { checkEnd } from './end.checks';
import { concernsRedis } from '../faults';
import type { History } from './history';
import { findLeaks } from './leaks';
import { checkFollowers, checkLog } from './log.checks';
import { checkPurchases, checkRefusals } from './purchase.checks';
import { endOf, isFinal, type ObservedRun } from '../load/observed-run';

export interface Violation {
  seed: number;
  /** `-`: of the whole installation. */
  invocation: string;
  what: string;
}

const ORDER = ['queued', 'running'];
/** A process notices the return of Redis a moment later. */
const AFTERMATH_MS = 2_000;

/** All violations in the history. */
export function check(history: History): Violation[] {
  const { seed } = history.schedule;
  const whole = [
    ...history.unfinished,
    ...history.mishaps,
    ...checkPurchases(history),
    ...checkRefusals(history),
    ...checkAccounts(history),
    ...checkExits(history),
    ...findLeaks(history),
  ];
  return [
    ...whole.map((what) => ({ seed, invocation: '-', what })),
    ...history.observedRuns.flatMap((observedRun) =>
      checkObservedRun(observedRun, history).map((what) => ({
        seed,
        invocation: observedRun.id ?? observedRun.marker,
        what,
      })),
    ),
  ];
}

function checkObservedRun(
  observedRun: ObservedRun,
  history: History,
): string[] {
  const faults = [
    ...observedRun.complaints,
    ...checkIdentity(observedRun),
    ...checkStatuses(observedRun),
    ...checkFollowers(observedRun),
  ];
  if (observedRun.id === undefined || observedRun.deleted) return faults;
  if (!observedRun.record || !observedRun.log)
    return [...faults, 'cannot be read'];
  return [
    ...faults,
    ...checkLog(observedRun.log, observedRun),
    ...(observedRun.plan?.agent
      ? checkAgentRun(observedRun, history)
      : checkEnd(observedRun, history)),
    ...checkReplies(observedRun),
  ];
}

function checkIdentity({ ids, plan }: ObservedRun): string[] {
  return plan?.keyed && ids.size > 1
    ? [`one idempotency key stands for ${[...ids].join(' and ')}`]
    : [];
}

/** Statuses in the order in which they were read. */
function checkStatuses({ statuses }: ObservedRun): string[] {
  return statuses
    .slice(1)
    .filter((status, i) => !mayFollow(statuses[i], status))
    .map(() => `went through ${statuses.join(', ')}`);
}

function mayFollow(before: string, after: string): boolean {
  if (isFinal(before)) return before === after;
  return isFinal(after) || ORDER.indexOf(after) >= ORDER.indexOf(before);
}

/** The reply to a foreground request, or to a repeated one, equals the record. */
function checkReplies({ replies, record }: ObservedRun): string[] {
  return replies
    .filter(
      (reply) =>
        isFinal(reply.status) &&
        (endOf(reply) !== endOf(record!) ||
          reply.output_text !== record!.output_text),
    )
    .map((reply) => `was answered ${endOf(reply)}, is ${endOf(record!)}`);
}

/** A process that is stopped while Redis is healthy exits with 0. */
function checkExits({ exits, strikes }: History): string[] {
  const withoutRedis = strikes.filter(({ fault }) => concernsRedis(fault));
  return exits
    .filter(({ code }) => code !== 0)
    .filter((exit) =>
      withoutRedis.every(
        ({ fromMs, toMs }) =>
          toMs + AFTERMATH_MS < exit.fromMs || exit.toMs < fromMs,
      ),
    )
    .map(
      ({ code, lastWords }) =>
        `a stopped process exited with ${code}: ${lastWords}`,
    );
}
