import { endOf, isFinal, type ObservedRun } from '../load/observed-run';
import type { History } from './history';
import { wasInterrupted } from './purchase.checks';
import { isAmbiguous } from '../load/scenarios';

/** Scenarios that duplicate or lose a delta. */
const MISCOUNTED = new Set([
  'duplicate_events',
  'gap',
  'everything_odd_about_the_stream',
]);

/** The end of an invocation, checked against its scenario and the upstream's run. */
export function checkEnd(observedRun: ObservedRun, history: History): string[] {
  const { record, plan } = observedRun;
  const end = endOf(record!);
  const expected = expectedEnds(observedRun, history);
  const faults = expected.has(end)
    ? []
    : [
        `ended ${end} (${plan?.recipe?.name ?? 'plain'}, ${record!.started_at} to ${record!.completed_at}), not ${[...expected].join(' or ')}`,
      ];
  const { creates_by_invocation: creates } = history.upstream;
  if (record!.status === 'completed' && !creates[observedRun.id!])
    faults.push('completed, but nothing was purchased');
  const upstreamId = record!.upstream_response_id;
  if (record!.status === 'completed' && upstreamId === null)
    faults.push('completed, but its run has no name');
  const run = history.upstreamRuns.get(upstreamId ?? '');
  if (run && !isFinal(run.status))
    faults.push(`is ${end}, but its run at the upstream is ${run.status}`);
  if (run && end === 'completed' && !isWhole(observedRun, run.text, history))
    faults.push(
      `has ${record!.output_text?.length} characters of text, the upstream ${run.text.length}`,
    );
  return faults;
}

function expectedEnds(observedRun: ObservedRun, history: History): Set<string> {
  const { plan, stopSent, refused } = observedRun;
  const expected = new Set(plan?.recipe?.ends ?? ['completed']);
  if (
    isAmbiguous(plan?.recipe) &&
    history.schedule.ambiguousSubmit === 'resubmit'
  )
    expected.clear();
  // A webhook finds the run whose reply was lost.
  if (isAmbiguous(plan?.recipe) && history.schedule.webhooks)
    expected.add('completed');
  // A run that was discarded with its rejected submission has consumed the fault.
  if (stopSent || refused || expected.size === 0) expected.add('completed');
  if (stopSent) expected.add('cancelled/cancelled');
  if (wasInterrupted(observedRun, history)) {
    expected.add('failed/ambiguous_submit');
    if (history.schedule.webhooks)
      for (const status of ['failed', 'incomplete'])
        expected.add(`${status}/research_timeout`);
    // An earlier purchase has consumed the fault.
    if (history.schedule.ambiguousSubmit === 'resubmit')
      expected.add('completed');
  }
  return expected;
}

/**
 * Text that was received twice is twice in log and record alike, so only the upstream can show it. Where its events have
 * no numbers, a lost or duplicate delta is invisible before the end; the final text then replaces what was streamed.
 */
function isWhole(
  { record, plan }: ObservedRun,
  text: string,
  { schedule }: History,
): boolean {
  const { output_text: recorded } = record!;
  return (
    text === recorded ||
    (schedule.dialect === 'litellm' &&
      MISCOUNTED.has(plan?.recipe?.name ?? '') &&
      recorded!.endsWith(text))
  );
}
