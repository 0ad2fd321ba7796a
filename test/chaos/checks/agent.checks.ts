import { callsByRole } from '../../support/agent/agent-journal';
import { concernsRedis } from '../faults';
import { endOf, type ObservedRun } from '../load/observed-run';
import type { History } from './history';

/** Ends of a run whose steps were interrupted or failed until they were out of repeats. */
const FAILURES =
  /^(failed|incomplete)\/(agent_model_failed|search_failed|nothing_found|step_failed|research_timeout|upstream_[a-z_]+)$/;

/** A run of the agent: its end, its purchases, and what its record shows of its journal. */
export function checkAgentRun(
  observedRun: ObservedRun,
  history: History,
): string[] {
  return [
    ...checkAgentEnd(observedRun, history),
    ...checkCalls(observedRun, history),
    ...checkSums(observedRun),
  ];
}

function checkAgentEnd(
  { record, stopSent, id }: ObservedRun,
  { strikes, upstream }: History,
): string[] {
  const end = endOf(record!);
  const faults = upstream.creates_by_invocation[id!]
    ? ['a run of the agent was purchased as a run at the upstream']
    : [];
  const isExpected =
    end === 'completed' ||
    (stopSent && end === 'cancelled/cancelled') ||
    (strikes.length > 0 && FAILURES.test(end));
  return isExpected ? faults : [...faults, `the agent ended ${end}`];
}

/**
 * Every call that was settled was paid, and nothing was paid but the attempts in the journal. Calls are found by the
 * question, which two runs have in common where a rejection that Redis has caused came too late (see `checkRefusals`).
 */
function checkCalls(
  { marker, journal, refused }: ObservedRun,
  { requests, strikes }: History,
): string[] {
  const isShared = refused && strikes.some(({ fault }) => concernsRedis(fault));
  const paid = callsByRole(
    requests.filter(({ body }) => JSON.stringify(body).includes(marker)),
  );
  const { calls, attempts } = journal!;
  const roles = new Set([...Object.keys(calls), ...Object.keys(paid)]);
  return [...roles]
    .filter((role) => {
      const count = paid[role] ?? 0;
      const most = isShared ? Infinity : (attempts[role] ?? 0);
      return count < (calls[role] ?? 0) || count > most;
    })
    .map(
      (role) =>
        `${role} was paid ${paid[role] ?? 0} times, with ${calls[role] ?? 0} settled of ${attempts[role] ?? 0} attempts`,
    );
}

function checkSums({ record, journal }: ObservedRun): string[] {
  const { steps, usage } = record!;
  const { settled, skipped, ambiguous, spent } = journal!;
  const shown = [
    steps?.settled ?? 0,
    steps?.skipped ?? 0,
    usage?.input_tokens ?? 0,
    usage?.output_tokens ?? 0,
    ...(steps?.ambiguous ?? []).toSorted(),
  ];
  const summed = [
    settled,
    skipped,
    spent.input_tokens,
    spent.output_tokens,
    ...ambiguous.toSorted(),
  ];
  return shown.join(' ') === summed.join(' ')
    ? []
    : [`shows ${shown.join(' ')}, its journal has ${summed.join(' ')}`];
}
