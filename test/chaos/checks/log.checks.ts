import { type Frame, joined } from '../../support/client';
import { endsLog, type ObservedRun } from '../load/observed-run';

/** The log of an ended invocation, against its record. */
export function checkLog(
  log: Frame[],
  { record, plan }: ObservedRun,
): string[] {
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
    faults.push('final event and record have different texts');
  if (log[0]?.event !== 'status') faults.push('log does not begin with status');
  // The agent links the pages it has read.
  const mark = plan?.agent ? '/pages/' : 'sandbox';
  if (status === 'completed' && !output_text?.includes(mark))
    faults.push(`completed with a text that is no report (${plan?.mode})`);
  return faults;
}

/** The events that each follower received over all its connections equal the log. */
export function checkFollowers({
  followers,
  log,
  deleted,
}: ObservedRun): string[] {
  const whole = JSON.stringify(log);
  return followers.flatMap(({ frames, gone }, n) => {
    if (!isNumbered(frames)) return [`follower ${n} saw ${numbers(frames)}`];
    if (deleted) {
      return gone || frames.some(endsLog)
        ? []
        : [`follower ${n} never saw an end`];
    }
    return log && JSON.stringify(frames) !== whole
      ? [`follower ${n} saw ${frames.length} frames other than the log's`]
      : [];
  });
}

function isNumbered(frames: Frame[]): boolean {
  return frames.every(({ id }, i) => id === String(i + 1));
}

function numbers(frames: Frame[]): string {
  return frames.map(({ id, event }) => id ?? event).join(' ');
}
