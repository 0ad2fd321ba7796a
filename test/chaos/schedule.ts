import { Random } from './random';
import { anyRecipe, endless, type Recipe } from './recipes';

export type Mode = 'foreground' | 'background' | 'stream';

export interface FollowPlan {
  api: number;
  /** It drops its connection after so many frames of it, and comes back with its last id. */
  drops: number[];
  seed: number;
}

export interface SubmissionPlan {
  atMs: number;
  /** Part of its question and of nothing else. */
  marker: string;
  mode: Mode;
  api: number;
  /** Sent to both APIs at once under one idempotency key, and repeated until it is acknowledged. */
  keyed: boolean;
  recipe?: Recipe;
  follows: FollowPlan[];
  stop?: { how: 'cancel' | 'delete'; afterMs: number };
  seed: number;
}

export interface ChatPlan {
  atMs: number;
  marker: string;
  api: number;
}

/** What befalls a process, Redis or the whole upstream. `slot`: which of the processes of a kind. */
export type FaultPlan = { atMs: number } & (
  | { kind: 'kill_worker' | 'kill_api'; slot: number; downMs: number }
  | { kind: 'pause_worker'; slot: number; forMs: number }
  | { kind: 'rolling_restart' }
  | { kind: 'kill_redis'; downMs: number }
  | { kind: 'fill_redis' | 'stall_redis'; forMs: number }
  | { kind: 'cut_redis' }
  | { kind: 'upstream'; status: number; method: string; count: number }
);

export interface Schedule {
  seed: number;
  leaseSeconds: number;
  researchMs: number;
  dialect: 'openai' | 'litellm';
  submissions: SubmissionPlan[];
  chats: ChatPlan[];
  faults: FaultPlan[];
}

export const APIS = 2;
export const WORKERS = 3;

/** Everything that is going to be done, determined by the seed and the number of invocations. */
export function makeSchedule(seed: number, invocations: number): Schedule {
  const random = new Random(seed);
  const leaseSeconds = random.pick([1, 2]);
  const lastsMs = 5_000 + invocations * 100;
  const at = (): number => random.between(0, lastsMs);
  const mark = (n: number): string => `marker-${seed}-${n}-end`;
  const chats = Math.floor(invocations / 12);
  return {
    seed,
    leaseSeconds,
    // Short ones end while a worker is paused, long ones are still under way when it wakes.
    researchMs: random.pick([
      random.between(400, 1_500),
      random.between(3_000, 6_000),
    ]),
    dialect: random.chance(0.2) ? 'litellm' : 'openai',
    submissions: Array.from({ length: invocations - chats }, (_, n) =>
      makeSubmission(random.fork(), mark(n), at()),
    ),
    chats: Array.from({ length: chats }, (_, n) => ({
      atMs: at(),
      marker: mark(invocations + n),
      api: random.between(0, APIS - 1),
    })),
    faults: Array.from({ length: random.between(4, 8) }, () =>
      makeFault(random.fork(), at(), leaseSeconds),
    ),
  };
}

function makeSubmission(
  random: Random,
  marker: string,
  atMs: number,
): SubmissionPlan {
  const plan: SubmissionPlan = {
    atMs,
    marker,
    mode: random.pick(['background', 'background', 'stream', 'foreground']),
    api: random.between(0, APIS - 1),
    keyed: random.chance(0.6),
    follows: Array.from({ length: random.between(1, 2) }, () => ({
      api: random.between(0, APIS - 1),
      drops: Array.from({ length: random.between(0, 3) }, () =>
        random.between(0, 12),
      ),
      seed: random.between(0, 0xffff_ffff),
    })),
    seed: random.between(0, 0xffff_ffff),
  };
  if (random.chance(0.2)) {
    plan.stop = {
      how: random.pick(['cancel', 'cancel', 'delete']),
      afterMs: random.between(0, 2_500),
    };
    // A foreground reply comes with the end, and the token that a cancellation needs comes with the reply.
    if (plan.mode === 'foreground') plan.mode = 'background';
    if (random.chance(0.6)) plan.recipe = endless(marker);
  } else if (random.chance(0.5)) {
    plan.recipe = anyRecipe(random, marker);
  }
  return plan;
}

const FAULTS: FaultPlan['kind'][] = [
  'kill_worker',
  'kill_worker',
  'pause_worker',
  'pause_worker',
  'kill_api',
  'kill_api',
  'rolling_restart',
  'kill_redis',
  'kill_redis',
  'fill_redis',
  'stall_redis',
  'cut_redis',
  'upstream',
];

function makeFault(
  random: Random,
  atMs: number,
  leaseSeconds: number,
): FaultPlan {
  const kind = random.pick(FAULTS);
  switch (kind) {
    case 'kill_worker':
      return {
        atMs,
        kind,
        slot: random.between(0, WORKERS - 1),
        downMs: random.between(0, 1_500),
      };
    case 'kill_api':
      return {
        atMs,
        kind,
        slot: random.between(0, APIS - 1),
        downMs: random.between(0, 1_500),
      };
    case 'pause_worker':
      return {
        atMs,
        kind,
        slot: random.between(0, WORKERS - 1),
        forMs: leaseSeconds * 1_000 + random.between(200, 2_500),
      };
    case 'kill_redis':
      return { atMs, kind, downMs: random.between(0, 2_500) };
    case 'fill_redis':
    case 'stall_redis':
      return { atMs, kind, forMs: random.between(300, 3_000) };
    case 'upstream':
      return {
        atMs,
        kind,
        status: random.pick([429, 500, 503]),
        method: random.pick(['GET', 'POST']),
        count: random.between(1, 6),
      };
    default:
      return { atMs, kind };
  }
}
