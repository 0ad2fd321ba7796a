import { type Frame, joined } from '../support/client';
import type { History } from './drive';
import { endOf, endsLog, isFinal, type Story } from './history';
import { findLeaks } from './leaks';

/** Recipes that double or lose a delta. */
const MISCOUNTED = new Set([
  'duplicate_events',
  'gap',
  'everything_odd_about_the_stream',
]);

export interface Violation {
  seed: number;
  /** `-`: of the installation as a whole. */
  invocation: string;
  what: string;
}

const ORDER = ['queued', 'running'];
/** What can leave open whether a run was bought. */
const INTERRUPTIONS = [
  'kill_worker',
  'pause_worker',
  'rolling_restart',
  'kill_redis',
  'fill_redis',
  'stall_redis',
  'cut_redis',
];

/** Everything in the history that must not be. */
export function check(history: History): Violation[] {
  const { seed } = history.schedule;
  const whole = [
    ...history.unfinished,
    ...history.mishaps,
    ...checkPurchases(history),
    ...checkExits(history),
    ...findLeaks(history),
  ];
  return [
    ...whole.map((what) => ({ seed, invocation: '-', what })),
    ...history.stories.flatMap((story) =>
      checkStory(story, history).map((what) => ({
        seed,
        invocation: story.id ?? story.marker,
        what,
      })),
    ),
  ];
}

function checkStory(story: Story, history: History): string[] {
  const faults = [
    ...story.complaints,
    ...checkIdentity(story),
    ...checkRefusals(story, history),
    ...checkStatuses(story),
    ...checkFollowers(story),
  ];
  if (story.id === undefined || story.deleted) return faults;
  if (!story.record || !story.log) return [...faults, 'cannot be read'];
  return [
    ...faults,
    ...checkLog(story.log, story),
    ...checkEnd(story, history),
    ...checkReplies(story),
  ];
}

function checkIdentity({ ids, plan }: Story): string[] {
  return plan?.keyed && ids.size > 1
    ? [`one idempotency key stands for ${[...ids].join(' and ')}`]
    : [];
}

/** What was refused, and what a key had already bought, is not bought under another id. */
function checkRefusals(
  { marker, lost }: Story,
  { requests }: History,
): string[] {
  if (lost) return [];
  const ids = new Set<string>();
  for (const { body } of requests) {
    const { metadata } = body as { metadata?: { invocation_id?: string } };
    if (metadata?.invocation_id && JSON.stringify(body).includes(marker))
      ids.add(metadata.invocation_id);
  }
  return ids.size > 1 ? [`was bought as ${[...ids].join(' and ')}`] : [];
}

/** Statuses in the order in which they were read. */
function checkStatuses({ statuses }: Story): string[] {
  return statuses
    .slice(1)
    .filter((status, i) => !mayFollow(statuses[i], status))
    .map(() => `went through ${statuses.join(', ')}`);
}

function mayFollow(before: string, after: string): boolean {
  if (isFinal(before)) return before === after;
  return isFinal(after) || ORDER.indexOf(after) >= ORDER.indexOf(before);
}

function checkLog(log: Frame[], { record, plan }: Story): string[] {
  const faults = [];
  const { status, output_text } = record!;
  if (!isNumbered(log)) faults.push(`log is numbered ${numbers(log)}`);
  const ends = log.filter(endsLog);
  if (ends.length !== 1) faults.push(`log has ${ends.length} final events`);
  const last = log.at(-1);
  const expected = status === 'completed' ? 'completed' : 'error';
  if (last?.event !== expected || last.data.status !== status)
    faults.push(
      `log ends with ${last?.event} of ${last?.data.status}, record is ${status}`,
    );
  if (output_text !== null && joined(log) !== output_text)
    faults.push(
      `deltas of ${joined(log).length} characters do not make the text of ${output_text.length}`,
    );
  if (last?.event === 'completed' && last.data.data.output_text !== output_text)
    faults.push('final event and record tell different texts');
  if (log[0]?.event !== 'status') faults.push('log does not begin with status');
  if (status === 'completed' && !output_text?.includes('sandbox'))
    faults.push(`completed with a text that is no report (${plan?.mode})`);
  return faults;
}

function checkFollowers({ followers, log, deleted }: Story): string[] {
  return followers.flatMap(({ frames, gone }, n) => {
    if (!isNumbered(frames)) return [`follower ${n} saw ${numbers(frames)}`];
    if (deleted) {
      return gone || frames.some(endsLog)
        ? []
        : [`follower ${n} never saw an end`];
    }
    return log && JSON.stringify(frames) !== JSON.stringify(log)
      ? [`follower ${n} saw ${frames.length} frames other than the log's`]
      : [];
  });
}

function checkEnd(story: Story, history: History): string[] {
  const { record, plan, stopSent } = story;
  const end = endOf(record!);
  const expected = new Set(plan?.recipe?.ends ?? ['completed']);
  if (stopSent) expected.add('completed').add('cancelled/cancelled');
  if (history.schedule.faults.some(({ kind }) => INTERRUPTIONS.includes(kind)))
    expected.add('failed/ambiguous_submit');
  const faults = expected.has(end)
    ? []
    : [
        `ended ${end} (${plan?.recipe?.name ?? 'plain'}), not ${[...expected].join(' or ')}`,
      ];
  const { creates_by_invocation: creates } = history.upstream;
  const bought = creates[story.id!] ?? 0;
  if (record!.status === 'completed' && bought !== 1)
    faults.push(`completed after ${bought} creates`);
  const run = history.upstreamRuns.get(record!.upstream_response_id ?? '');
  if (run && !isFinal(run.status))
    faults.push(`is ${end}, but its run at the upstream is ${run.status}`);
  // Text that was taken twice is twice in log and record alike: only the upstream knows it. Where its events have no
  // numbers, a delta that is lost or doubled cannot be seen before the end; then the whole text follows what was passed on.
  const isWhole =
    run?.text === record!.output_text ||
    (run &&
      history.schedule.dialect === 'litellm' &&
      MISCOUNTED.has(plan?.recipe?.name ?? '') &&
      record!.output_text?.endsWith(run.text));
  if (run && end === 'completed' && !isWhole)
    faults.push(
      `has ${record!.output_text?.length} characters of text, the upstream ${run.text.length}`,
    );
  return faults;
}

/** What came as the reply to a foreground request, or to one that was repeated later, is what the record says. */
function checkReplies({ replies, record }: Story): string[] {
  return replies
    .filter(
      (reply) =>
        isFinal(reply.status) &&
        (endOf(reply) !== endOf(record!) ||
          reply.output_text !== record!.output_text),
    )
    .map((reply) => `was answered ${endOf(reply)}, is ${endOf(record!)}`);
}

function checkPurchases({ upstream, stories }: History): string[] {
  const twice = Object.entries(upstream.creates_by_invocation)
    .filter(([, creates]) => creates > 1)
    .map(([id, creates]) => `${id} was bought ${creates} times`);
  // A run whose name nobody has learnt cannot be stopped; every other one can.
  const nameless = stories.filter(
    ({ record, deleted }) => deleted || !record?.upstream_response_id,
  ).length;
  return upstream.in_flight > nameless
    ? [...twice, `${upstream.in_flight} runs go on at the upstream`]
    : twice;
}

/** A process that is told to leave while Redis is well leaves with 0. */
function checkExits({ exitCodes, schedule }: History): string[] {
  if (schedule.faults.some(({ kind }) => kind.endsWith('_redis'))) return [];
  return exitCodes
    .filter((code) => code !== 0)
    .map((code) => `a process that was told to leave left with ${code}`);
}

function isNumbered(frames: Frame[]): boolean {
  return frames.every(({ id }, i) => id === String(i + 1));
}

function numbers(frames: Frame[]): string {
  return frames.map(({ id, event }) => id ?? event).join(' ');
}
