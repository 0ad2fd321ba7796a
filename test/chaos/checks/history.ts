import type { Redis } from 'ioredis';
import type {
  SandboxStats,
  UpstreamRequest,
} from '../../support/processes/stand';
import type { FaultPlan } from '../faults';
import type { Fleet } from '../fleet/fleet';
import type { Schedule } from '../schedule';
import type { Exit } from '../fleet/slot';
import type { Story } from '../load/story';
import { readRun, type UpstreamRun } from '../fleet/upstream-run';

/** When a fault really struck, from its beginning to the moment in which everything was there again. */
export interface Strike {
  fault: FaultPlan;
  fromMs: number;
  toMs: number;
}

/** What the driver itself has seen. */
export interface Course {
  stories: Story[];
  strikes: Strike[];
  /** From the end of the last fault to the end of the last invocation. */
  recoveryMs: number;
  /** Patience ended before everything had. */
  unfinished: string[];
}

export interface History extends Course {
  schedule: Schedule;
  /** Faults that struck, those of single researches included. */
  faults: number;
  /** How often a run went on at another worker because its own had fallen silent. */
  takeovers: number;
  mishaps: string[];
  exits: Exit[];
  upstream: SandboxStats;
  /** By upstream id, every run whose id a record names. */
  upstreamRuns: Map<string, UpstreamRun>;
  /** The latest requests to buy or to chat. */
  requests: UpstreamRequest[];
  /** All that the processes have printed. */
  output: string;
  /** What BullMQ keeps in Redis; what is there in all. */
  jobs: string;
  redis: string;
}

/** More than a schedule makes, retries included. */
const REQUESTS = 5_000;

/** Adds what Redis, the upstream and the processes have to tell. */
export async function tell(
  schedule: Schedule,
  course: Course,
  fleet: Fleet,
): Promise<History> {
  const { stand, mishaps, exits, output } = fleet;
  const { stories } = course;
  const ofRecipes = stories.flatMap(({ plan }) => plan?.recipe?.faults ?? []);
  const redis = stand.redis.connect();
  const takeovers = await countTakeovers(stories, redis);
  redis.disconnect();
  return {
    ...course,
    schedule,
    faults: schedule.faults.length + ofRecipes.length,
    takeovers,
    mishaps,
    exits,
    upstream: await stand.stats(),
    requests: await stand.requests(REQUESTS),
    upstreamRuns: await readRuns(stories, fleet.upstreamUrl),
    output,
    jobs: await stand.redis.dump('{sonde}:*'),
    redis: await stand.redis.dump(),
  };
}

async function countTakeovers(stories: Story[], redis: Redis): Promise<number> {
  const crashes = await Promise.all(
    stories.map(({ id }) => redis.hget(`sonde:{${id}}:record`, 'crashes')),
  );
  return crashes.reduce((sum, count) => sum + Number(count), 0);
}

async function readRuns(
  stories: Story[],
  url: string,
): Promise<Map<string, UpstreamRun>> {
  const runs = new Map<string, UpstreamRun>();
  for (const { record } of stories) {
    const id = record?.upstream_response_id;
    if (id) runs.set(id, await readRun(url, id));
  }
  return runs;
}
