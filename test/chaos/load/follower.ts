import type { Caller } from './caller';
import { endsLog, type FollowerLog, type ObservedRun } from './observed-run';
import { Random } from '../random';
import { APIS } from '../faults';
import type { FollowPlan } from '../schedule';

/** Follows to the last event, through either API, over lost and dropped connections, resuming each time after its last id. */
export async function follow(
  caller: Caller,
  observedRun: ObservedRun,
  plan: FollowPlan,
): Promise<void> {
  const random = new Random(plan.seed);
  const log: FollowerLog = {
    plan,
    frames: [],
    connections: 0,
    at: '',
    gone: false,
  };
  observedRun.followers.push(log);
  const drops = [...plan.drops];
  await caller.repeat(
    random,
    async (api) => {
      log.connections += 1;
      log.at = `to API ${api} at ${new Date().toISOString().slice(14, 21)}`;
      return once(caller, observedRun, log, api % APIS, drops.shift());
    },
    plan.api,
  );
}

/** One connection. Returns whether the log has ended. */
async function once(
  caller: Caller,
  observedRun: ObservedRun,
  log: FollowerLog,
  api: number,
  dropAfter = Infinity,
): Promise<boolean> {
  let left = dropAfter;
  try {
    const last = log.frames.at(-1)?.id;
    for await (const frame of caller
      .open(observedRun, api)
      .events(last, observedRun.limit)) {
      log.frames.push(frame);
      if (endsLog(frame)) return true;
      left -= 1;
      if (left <= 0) return false;
    }
    return false;
  } catch (error) {
    const refusal = /^events: (\d+)/.exec((error as Error).message)?.[1];
    if (refusal === '404' && observedRun.deleted) log.gone = true;
    else if (refusal !== undefined && refusal !== '503')
      observedRun.complaints.push(
        `a follower received ${(error as Error).message}`,
      );
    else if (refusal === undefined) throw error;
    return log.gone;
  }
}
