import type { Caller } from './caller';
import { endsLog, type FollowerLog, type Story } from './history';
import { Random } from './random';
import { APIS, type FollowPlan } from './schedule';

/** Follows to the last event, through either API, with connections that are lost or dropped, each time from its last id. */
export async function follow(
  caller: Caller,
  story: Story,
  plan: FollowPlan,
  limit: AbortSignal,
): Promise<void> {
  const random = new Random(plan.seed);
  const log: FollowerLog = { plan, frames: [], connections: 0, gone: false };
  story.followers.push(log);
  const drops = [...plan.drops];
  await caller.repeat(
    random,
    async (api) => {
      log.connections += 1;
      return once(caller, story, log, api % APIS, drops.shift(), limit);
    },
    plan.api,
  );
}

/** One connection. Whether nothing more is to come. */
async function once(
  caller: Caller,
  story: Story,
  log: FollowerLog,
  api: number,
  dropAfter = Infinity,
  limit: AbortSignal,
): Promise<boolean> {
  let left = dropAfter;
  try {
    const last = log.frames.at(-1)?.id;
    for await (const frame of caller.open(story, api).events(last, limit)) {
      log.frames.push(frame);
      if (endsLog(frame)) return true;
      left -= 1;
      if (left <= 0) return false;
    }
    return false;
  } catch (error) {
    const refusal = /^events: (\d+)/.exec((error as Error).message)?.[1];
    if (refusal === '404' && story.deleted) log.gone = true;
    else if (refusal !== undefined && refusal !== '503')
      story.complaints.push(`a follower was told ${(error as Error).message}`);
    else if (refusal === undefined) throw error;
    return log.gone;
  }
}
