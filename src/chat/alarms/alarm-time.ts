import { minutesAhead } from '../../tools/time-zone';
import { ToolError } from '../../tools/tool-error';

const DAY_MS = 86_400_000;
const LATEST_MS = 366 * DAY_MS;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/;
const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;

/**
 * The instant that an ISO-8601 time means, in milliseconds. One without an offset is local to `zone`; one that the clock
 * there skips is moved as far as the clock is.
 * @throws ToolError `INVALID_TIME`, which names the fault, for times that are none, past, or over a year away.
 */
export function alarmTime(time: string, zone: string, nowMs: number): number {
  const [offset = ''] = OFFSET.exec(time) ?? [];
  const local = time.slice(0, time.length - offset.length);
  // Read as if it were UTC. Date would turn 30 February into a day of March.
  const wall = LOCAL.test(local) ? Date.parse(`${local}Z`) : NaN;
  if (
    Number.isNaN(wall) ||
    new Date(wall).toISOString().slice(0, 16) !== local.slice(0, 16)
  )
    throw invalid(
      'The time must be in ISO-8601, e.g. 2030-01-31T08:00:00+09:00',
    );
  const at = offset ? Date.parse(time) : wall - offsetMs(wall, zone);
  const now = new Date(nowMs).toISOString();
  if (Number.isNaN(at)) throw invalid('The offset of the time is not valid');
  if (at <= nowMs) throw invalid(`The time is past: it is ${now}`);
  if (at > nowMs + LATEST_MS)
    throw invalid(`The time is over a year away: it is ${now}`);
  return at;
}

/** How far the zone is ahead of UTC when its clocks show `wall`. What they show twice is the first of the two. */
function offsetMs(wall: number, zone: string): number {
  // No clock is changed twice in two days.
  const before = aheadMs(wall - DAY_MS, zone);
  const after = aheadMs(wall + DAY_MS, zone);
  const isShown = (offset: number) => aheadMs(wall - offset, zone) === offset;
  // A time that is skipped is counted on from before the change.
  return isShown(before) || !isShown(after) ? before : after;
}

function aheadMs(instant: number, zone: string): number {
  return minutesAhead(zone, instant) * 60_000;
}

function invalid(fault: string): ToolError {
  return new ToolError('INVALID_TIME', `${fault}.`);
}
