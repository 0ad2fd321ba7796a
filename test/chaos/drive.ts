import { setTimeout as sleep } from 'node:timers/promises';
import { all } from '../support/client';
import type { SandboxStats, UpstreamRequest } from '../support/stand';
import { until } from '../support/until';
import { Caller } from './caller';
import { Fleet } from './fleet';
import { follow } from './follower';
import { Story } from './history';
import { Random } from './random';
import {
  APIS,
  type ChatPlan,
  type Schedule,
  type SubmissionPlan,
} from './schedule';
import { readRun, type UpstreamRun } from './upstream-run';

/** From the last planned moment on. Longer than the reconciler takes to find what everybody else has forgotten. */
const PATIENCE_MS = 150_000;

export interface History {
  schedule: Schedule;
  stories: Story[];
  /** Faults that struck, those of single researches included. */
  faults: number;
  /** From the end of the last fault to the end of the last invocation. */
  recoveryMs: number;
  /** How often a run went on at another worker because its own had fallen silent. */
  takeovers: number;
  /** Patience ended before everything had. */
  unfinished: string[];
  mishaps: string[];
  exitCodes: (number | null)[];
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

/** Does what the schedule says to a fresh installation, waits until it has calmed down, and tells what was seen. */
export async function drive(schedule: Schedule): Promise<History> {
  const fleet = await Fleet.start(schedule);
  try {
    return await new Drive(fleet, schedule).run();
  } finally {
    await fleet.stop();
  }
}

class Drive {
  private readonly begun = performance.now();
  private readonly patience = new AbortController();
  private readonly caller: Caller;
  private readonly stories: Story[] = [];
  private readonly unfinished: string[] = [];
  private sampling = true;

  constructor(
    private readonly fleet: Fleet,
    private readonly schedule: Schedule,
  ) {
    this.caller = new Caller(fleet, this.patience.signal);
  }

  async run(): Promise<History> {
    const { submissions, chats, faults } = this.schedule;
    const sampled = this.sample();
    const work = [
      ...submissions.map((plan) => this.carryOut(plan)),
      ...chats.map((plan) => this.chat(plan)),
    ];
    const struck = faults.map(async (fault) => {
      await this.at(fault.atMs);
      await this.fleet.strike(fault);
    });
    await Promise.all(struck);
    await this.at(Math.max(...submissions.map(({ atMs }) => atMs)));
    // Every process is healthy now, and everything has to come to its end by itself.
    const calmAt = performance.now();
    const timer = setTimeout(() => this.patience.abort(), PATIENCE_MS);
    await Promise.all(work);
    await this.allOver();
    const recoveryMs = performance.now() - calmAt;
    this.sampling = false;
    await sampled;
    await this.readAll();
    await this.fleet.calm();
    await this.upstreamIsDone();
    clearTimeout(timer);
    return this.tell(recoveryMs);
  }

  private async carryOut(plan: SubmissionPlan): Promise<void> {
    await this.at(plan.atMs);
    const story = this.newStory(plan.marker, plan);
    let tried = false;
    const submitted = this.caller
      .submit(plan, story)
      .finally(() => (tried = true));
    // A twin may be acknowledged long before the other, a reply in the foreground comes with the end.
    await this.wait(async () => story.id !== undefined || tried);
    if (story.id === undefined) return this.notAcknowledged(story, submitted);
    await Promise.all([
      submitted,
      ...plan.follows.map((follows) =>
        follow(this.caller, story, follows, this.patience.signal),
      ),
      this.stop(story, plan.stop),
    ]);
    if (this.patience.signal.aborted)
      this.unfinished.push(`${story.id} was still followed or stopped`);
  }

  private async stop(
    story: Story,
    stop: SubmissionPlan['stop'],
  ): Promise<void> {
    if (!stop) return;
    await sleep(stop.afterMs);
    await this.caller.stop(story, stop.how);
  }

  private async chat(plan: ChatPlan): Promise<void> {
    await this.at(plan.atMs);
    await this.caller.chat(plan, this.newStory(plan.marker));
  }

  private newStory(marker: string, plan?: SubmissionPlan): Story {
    const story = new Story(marker, plan);
    this.stories.push(story);
    return story;
  }

  /** Looks at every record again and again, one read after the other, so that what is seen has an order. */
  private async sample(): Promise<void> {
    const random = new Random(this.schedule.seed + 1);
    while (this.sampling) {
      for (const story of this.acknowledged) {
        // A final record is looked at less often, to see that it stays.
        if (story.isOver && !random.chance(0.1)) continue;
        await this.caller.read(story, random.between(0, APIS - 1));
      }
      await sleep(random.between(50, 200));
    }
  }

  private get acknowledged(): Story[] {
    return this.stories.filter(({ id }) => id !== undefined);
  }

  private async allOver(): Promise<void> {
    const open = () =>
      this.acknowledged.filter((story) => !story.isOver && !story.deleted);
    await this.wait(async () => open().length === 0);
    for (const story of open())
      this.unfinished.push(`${story.id} is ${story.statuses.at(-1)}`);
  }

  /** The last word on every record and its log, through each API in turn. */
  private async readAll(): Promise<void> {
    for (const [n, story] of this.acknowledged.entries()) {
      story.record = await this.caller.read(story, n % APIS);
      if (!story.record || !story.isOver) continue;
      story.log = await this.caller.attempt(() =>
        all(
          this.caller
            .open(story, (n + 1) % APIS)
            .events(undefined, this.patience.signal),
        ),
      );
    }
  }

  /** Runs that nobody knows the name of may go on; the checks decide how many those are. */
  private async upstreamIsDone(): Promise<void> {
    const { researchMs } = this.schedule;
    const nameless = this.acknowledged.filter(
      ({ plan, record }) =>
        plan?.recipe?.name === 'endless' && !record?.upstream_response_id,
    ).length;
    const deadline = performance.now() + 10_000 + researchMs;
    await this.wait(
      async () =>
        performance.now() > deadline ||
        (await this.fleet.stand.stats()).in_flight <= nameless,
    );
  }

  private async tell(recoveryMs: number): Promise<History> {
    const { stand, mishaps, exitCodes, output } = this.fleet;
    const recipes = this.stories.map(({ plan }) => plan?.recipe);
    return {
      schedule: this.schedule,
      stories: this.stories,
      faults:
        this.schedule.faults.length +
        recipes.reduce((sum, recipe) => sum + (recipe?.faults.length ?? 0), 0),
      recoveryMs,
      takeovers: await this.takeovers(),
      unfinished: this.unfinished,
      mishaps,
      exitCodes,
      upstream: await stand.stats(),
      requests: await stand.requests(200),
      upstreamRuns: await this.upstreamRuns(),
      output,
      jobs: await stand.redis.dump('{sonde}:*'),
      redis: await stand.redis.dump(),
    };
  }

  private async takeovers(): Promise<number> {
    const { redis } = this.fleet.stand;
    let sum = 0;
    for (const { id } of this.acknowledged)
      sum += Number(
        await redis.call('HGET', `sonde:{${id}}:record`, 'crashes'),
      );
    return sum;
  }

  private async upstreamRuns(): Promise<Map<string, UpstreamRun>> {
    const runs = new Map<string, UpstreamRun>();
    for (const { record } of this.stories) {
      const id = record?.upstream_response_id;
      if (!id) continue;
      runs.set(id, await readRun(this.fleet.stand.sandbox.url, id));
    }
    return runs;
  }

  private async notAcknowledged(
    story: Story,
    submitted: Promise<void>,
  ): Promise<void> {
    await submitted;
    if (story.plan?.keyed)
      this.unfinished.push(`${story.marker} was never acknowledged`);
  }

  /** Until `look` answers true, or patience is at its end. */
  private async wait(look: () => Promise<boolean>): Promise<void> {
    await until(async () => this.patience.signal.aborted || (await look()));
  }

  private async at(ms: number): Promise<void> {
    await sleep(Math.max(0, ms - (performance.now() - this.begun)));
  }
}
