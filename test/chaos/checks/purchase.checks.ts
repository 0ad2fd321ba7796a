import type { SandboxStats } from '../../support/processes/stand';
import { concernsRedis, interrupts } from '../faults';
import type { History } from './history';
import { isAmbiguous } from '../load/scenarios';
import type { ObservedRun } from '../load/observed-run';

/** The maximum purchases of a submission; the second and third only where the outcome of the previous is unknown. */
const MOST_CREATES = { fail: 1, resubmit: 3 };
/** How much later than its lease a failed worker may be detected. */
const AFTERMATH_MS = 2_000;

/** Runs purchased too often, and runs that continue at the upstream though their ids were known. */
export function checkPurchases(history: History): string[] {
  const { schedule, observedRuns: stories, upstream } = history;
  const byId = new Map(
    stories.map((observedRun) => [observedRun.id, observedRun]),
  );
  const most = MOST_CREATES[schedule.ambiguousSubmit];
  const tooOften = Object.entries(upstream.creates_by_invocation)
    .filter(([id, creates]) => {
      const observedRun = byId.get(id);
      return (
        creates >
        (observedRun && !mayBeAmbiguous(observedRun, history) ? 1 : most)
      );
    })
    .map(([id, creates]) => `${id} was purchased ${creates} times`);
  return upstream.in_flight > countNameless(stories, upstream)
    ? [...tooOften, `${upstream.in_flight} runs continue at the upstream`]
    : tooOften;
}

/** A run whose id was never received cannot be stopped; only those that never end by themselves count. */
export function countNameless(
  stories: readonly ObservedRun[],
  { creates_by_invocation: creates }: SandboxStats,
): number {
  return stories
    .filter(({ plan }) => plan?.recipe?.name === 'endless')
    .map((observedRun) => {
      if (observedRun.id === undefined) return 1;
      const named = observedRun.record?.upstream_response_id ? 1 : 0;
      return Math.max(0, (creates[observedRun.id] ?? 0) - named);
    })
    .reduce((sum, count) => sum + count, 0);
}

function mayBeAmbiguous(observedRun: ObservedRun, history: History): boolean {
  return (
    isAmbiguous(observedRun.plan?.recipe) ||
    wasInterrupted(observedRun, history)
  );
}

/** Whether a fault during the run can have left the outcome of its purchase unknown. */
export function wasInterrupted(
  { record }: ObservedRun,
  { schedule, strikes }: History,
): boolean {
  const from = Date.parse(record?.started_at ?? '') || 0;
  const to = Date.parse(record?.completed_at ?? '') || Infinity;
  const aftermathMs = schedule.leaseSeconds * 1_000 + AFTERMATH_MS;
  return strikes.some(
    ({ fault, fromMs, toMs }) =>
      interrupts(fault) && fromMs <= to && toMs + aftermathMs >= from,
  );
}

/**
 * A rejected submission, or one whose key already has a purchase, is not purchased under another id. Without a key a
 * rejection caused by Redis may come too late: the run is then discarded, but may have been purchased.
 */
export function checkRefusals({
  observedRuns: stories,
  strikes,
  requests,
}: History): string[] {
  const mayComeLate = strikes.some(({ fault }) => concernsRedis(fault));
  const idsByMarker = new Map<string, Set<string>>();
  for (const { body } of requests) {
    const { metadata, input } = body as {
      metadata?: { invocation_id?: string };
      input?: unknown;
    };
    const [marker] = /marker-\d+-\d+-end/.exec(JSON.stringify(input)) ?? [];
    if (metadata?.invocation_id === undefined || marker === undefined) continue;
    const ids = idsByMarker.get(marker) ?? new Set();
    idsByMarker.set(marker, ids.add(metadata.invocation_id));
  }
  return stories
    .filter(({ lost }) => !lost)
    .filter(({ plan }) => plan?.keyed || !mayComeLate)
    .filter(({ marker }) => (idsByMarker.get(marker)?.size ?? 0) > 1)
    .map(
      ({ marker, plan }) =>
        `${marker} (${plan?.keyed ? 'with' : 'without'} a key) was purchased as ${[...idsByMarker.get(marker)!].join(' and ')}`,
    );
}
