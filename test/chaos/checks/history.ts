import type { Redis } from 'ioredis';
import type {
  SandboxStats,
  UpstreamRequest,
} from '../../support/processes/stand';
import { sumsOf } from '../../support/agent/agent-journal';
import type { FaultPlan } from '../faults';
import type { ChaosCaller } from '../fleet/callers';
import type { Fleet } from '../fleet/fleet';
import { type Account, readAccounts } from './accounts';
import type { Schedule } from '../schedule';
import type { Exit } from '../fleet/slot';
import type { ObservedRun } from '../load/observed-run';
import { readRun, type UpstreamRun } from '../fleet/upstream-run';

/** The actual duration of a fault, from its start until everything had recovered. */
export interface Strike {
  fault: FaultPlan;
  fromMs: number;
  toMs: number;
}

/** Everything that the driver itself has observed. */
export interface Course {
  observedRuns: ObservedRun[];
  strikes: Strike[];
  /** From the end of the last fault to the end of the last invocation. */
  recoveryMs: number;
  /** The time limit passed before everything had ended. */
  unfinished: string[];
}

export interface History extends Course {
  schedule: Schedule;
  /** Faults that struck, those of single runs included. */
  faults: number;
  /** How often a run was taken over because its worker had stopped renewing its lease. */
  takeovers: number;
  mishaps: string[];
  exits: Exit[];
  callers: ChaosCaller[];
  accounts: Account[];
  upstream: SandboxStats;
  /** By upstream id, every run whose id a record names. */
  upstreamRuns: Map<string, UpstreamRun>;
  /** The latest purchase and chat requests. */
  requests: UpstreamRequest[];
  /** The output of all processes. */
  output: string;
  /** The data of BullMQ in Redis; all data. */
  jobs: string;
  redis: string;
}

/** More than a schedule sends, retries included. */
const REQUESTS = 5_000;

/** Adds the data of Redis, the upstream and the processes. */
export async function report(
  schedule: Schedule,
  course: Course,
  fleet: Fleet,
): Promise<History> {
  const { stand, incidents: mishaps, exits, output, callers } = fleet;
  const { observedRuns } = course;
  const ofScenarios = observedRuns.flatMap(
    ({ plan }) => plan?.recipe?.faults ?? [],
  );
  const redis = stand.redis.connect();
  await readJournals(observedRuns, redis);
  const accounts = await readAccounts(fleet, redis);
  redis.disconnect();
  return {
    ...course,
    schedule,
    faults: schedule.faults.length + ofScenarios.length,
    // A record forgets its crashes once a step is settled.
    takeovers: output.split('"Run taken over"').length - 1,
    mishaps,
    exits,
    callers,
    accounts,
    upstream: await stand.stats(),
    requests: await stand.requests(REQUESTS),
    upstreamRuns: await readRuns(observedRuns, fleet.upstreamUrl),
    output,
    jobs: await stand.redis.dump('{sonde}:*'),
    redis: await stand.redis.dump(),
  };
}

async function readJournals(
  observedRuns: ObservedRun[],
  redis: Redis,
): Promise<void> {
  for (const observedRun of observedRuns) {
    if (!observedRun.plan?.agent || observedRun.id === undefined) continue;
    const entries = await redis.hgetall(`sonde:{${observedRun.id}}:journal`);
    observedRun.journal = sumsOf(Object.entries(entries).flat());
  }
}

async function readRuns(
  observedRuns: ObservedRun[],
  url: string,
): Promise<Map<string, UpstreamRun>> {
  const runs = new Map<string, UpstreamRun>();
  for (const { record } of observedRuns) {
    const id = record?.upstream_response_id;
    if (id) runs.set(id, await readRun(url, id));
  }
  return runs;
}
