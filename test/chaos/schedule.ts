import { APIS, type FaultPlan, makeFault, SILENCES } from './faults';
import { Random } from './random';
import type { DoorName } from './load/doors';
import { anyScenario, endless, type Scenario, slow } from './load/scenarios';

export type Mode = 'foreground' | 'background' | 'stream';

export interface FollowPlan {
  api: number;
  /** The follower drops its connection after this many frames, and reconnects with its last id. */
  drops: number[];
  seed: number;
}

export interface SubmissionPlan {
  atMs: number;
  /** Part of its question and of nothing else. */
  marker: string;
  mode: Mode;
  door: DoorName;
  api: number;
  /** Sent to both APIs at once under one idempotency key, and repeated until it is acknowledged. */
  keyed: boolean;
  recipe?: Scenario;
  /** The engine agent carries it. */
  agent: boolean;
  follows: FollowPlan[];
  stop?: { how: 'cancel' | 'delete'; afterMs: number };
  seed: number;
}

export interface ChatPlan {
  atMs: number;
  marker: string;
  api: number;
}

const DIALECTS = ['openai', 'openai', 'openai', 'litellm', 'proxy'] as const;
type Dialect = (typeof DIALECTS)[number];

/** The configuration of the service and its upstream. */
export interface Setting {
  leaseSeconds: number;
  researchMs: number;
  /** `proxy`: through a proxy that retries, rewrites errors and appends its own ends. */
  dialect: Dialect;
  ambiguousSubmit: 'fail' | 'resubmit';
  /** The upstream sends webhooks about ended runs to the first API process. */
  webhooks: boolean;
  /** Of the service. */
  env: Record<string, string>;
}

export interface Schedule extends Setting {
  seed: number;
  submissions: SubmissionPlan[];
  chats: ChatPlan[];
  faults: FaultPlan[];
}

export const WEBHOOK_SECRET = `whsec_${'c'.repeat(32)}`;

/** A long schedule has a higher rate, so that the number of concurrent runs grows with it. */
const LONGEST_MS = 28_000;
const FAULT_EVERY_MS = 2_000;
/** Of the submissions, those that the agent carries, where nothing else is asked for. */
export const AGENT_SHARE = 0.2;
/** Output above this ends a run. */
const MAX_STREAM_BYTES = 300_000;

/**
 * The complete plan, determined by its arguments.
 * @param agents the share of the submissions that the agent carries.
 */
export function makeSchedule(
  seed: number,
  invocations: number,
  agents = AGENT_SHARE,
): Schedule {
  const random = new Random(seed);
  const setting = makeSetting(random.fork(), invocations);
  const lastsMs = Math.min(6_000 + invocations * 50, LONGEST_MS);
  const at = (): number => random.between(0, lastsMs);
  const mark = (n: number): string => `${markOf(seed)}${n}-end`;
  const chats = Math.floor(invocations / 12);
  // In some schedules only single runs fail, so that no other fault can excuse their ends.
  const faults = random.chance(0.1) ? 0 : Math.round(lastsMs / FAULT_EVERY_MS);
  const silences = random.chance(0.2);
  return {
    seed,
    ...setting,
    submissions: Array.from({ length: invocations - chats }, (_, n) =>
      makeSubmission(random.fork(), mark(n), at(), silences, agents),
    ),
    chats: Array.from({ length: chats }, (_, n) => ({
      atMs: at(),
      marker: mark(invocations + n),
      api: random.between(0, APIS - 1),
    })),
    faults: Array.from({ length: faults }, () =>
      makeFault(
        ...([random.fork(), at(), setting.leaseSeconds] as const),
        silences ? SILENCES : undefined,
      ),
    ),
  };
}

/** The common prefix of all markers in the questions of a schedule, which nothing else contains. */
export function markOf(seed: number): string {
  return `marker-${seed}-`;
}

/** The only place where a seed decides on options of the service. */
function makeSetting(random: Random, invocations: number): Setting {
  // Long enough for a busy machine to renew it in time.
  const leaseSeconds = random.pick([2, 3]);
  // Short runs end while a worker is paused, long ones are still active when it resumes.
  const researchMs = random.pick([
    random.between(400, 1_500),
    random.between(3_000, 6_000),
  ]);
  const ambiguousSubmit = random.chance(0.3) ? 'resubmit' : 'fail';
  // So few that many are rejected at first, yet enough for all to be admitted in time.
  const few = Math.max(10, Math.round((invocations * researchMs) / 15_000));
  const maxUnfinished = random.chance(0.15) ? few : 100_000;
  const atOnce = Math.max(20, Math.round((invocations * researchMs) / 12_000));
  const dialect = random.pick([...DIALECTS]);
  // The upstream has other ids for runs than its proxy.
  const webhooks = dialect !== 'proxy' && random.chance(0.3);
  return {
    leaseSeconds,
    researchMs,
    dialect,
    ambiguousSubmit,
    webhooks,
    env: {
      ...(webhooks && {
        OPENAI_WEBHOOK_SECRET: WEBHOOK_SECRET,
        // A run that is not found by then is abandoned, which may take as long.
        RELAY_RESEARCH_TIMEOUT_SECONDS: '25',
      }),
      ...(random.chance(0.25) && { RESEARCH_MODEL_LIMITS: `*:${atOnce}` }),
      // So little that unread output is released between two reads.
      ...(random.chance(0.25) && { RESEARCH_MEMORY_MB: '64' }),
      RESEARCH_LEASE_SECONDS: String(leaseSeconds),
      RELAY_AMBIGUOUS_SUBMIT: ambiguousSubmit,
      RELAY_MAX_INVOCATIONS: String(maxUnfinished),
      RELAY_MAX_STREAM_BYTES: String(MAX_STREAM_BYTES),
      CHAOS_BLOCK_MS: String(leaseSeconds * 1_000 + random.between(100, 1_500)),
    },
  };
}

function makeSubmission(
  random: Random,
  marker: string,
  atMs: number,
  long: boolean,
  agents: number,
): SubmissionPlan {
  const plan: SubmissionPlan = {
    atMs,
    marker,
    mode: random.pick(['background', 'background', 'stream', 'foreground']),
    api: random.between(0, APIS - 1),
    keyed: random.chance(0.6),
    agent: random.chance(agents),
    follows: Array.from({ length: random.between(0, 2) }, () => ({
      api: random.between(0, APIS - 1),
      drops: Array.from({ length: random.between(0, 3) }, () =>
        random.between(0, 12),
      ),
      seed: random.between(0, 0xffff_ffff),
    })),
    door: 'rest',
    seed: random.between(0, 0xffff_ffff),
  };
  plan.door = random.pick(
    plan.agent ? ['rest', 'rest', 'mcp'] : ['rest', 'rest', 'openai', 'mcp'],
  );
  if (random.chance(0.2)) {
    plan.stop = {
      how: random.pick(['cancel', 'cancel', 'delete']),
      afterMs: random.between(0, 2_500),
    };
    // A foreground reply arrives at the end, and with it the token that a cancellation needs.
    if (plan.mode === 'foreground') plan.mode = 'background';
    if (!plan.agent && random.chance(0.6)) plan.recipe = endless(marker);
  } else if (plan.agent) {
    // The scenarios are about runs at the upstream, of which the agent has none.
    return plan;
  } else if (long && random.chance(0.5)) {
    plan.recipe = slow(random, marker);
  } else if (random.chance(0.5)) {
    plan.recipe = anyScenario(random, marker);
  }
  return plan;
}
