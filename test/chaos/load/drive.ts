import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from '../../../src/runs/record/run-keys';
import { until } from '../../support/until';
import { Caller } from './caller';
import type { FaultPlan } from '../faults';
import { Fleet } from '../fleet/fleet';
import { follow } from './follower';
import {
  type Course,
  type History,
  type Strike,
  report,
} from '../checks/history';
import { countNameless } from '../checks/purchase.checks';
import { Random } from '../random';
import { readAll, sample } from './record-readers';
import { redeliver } from './redelivery';
import type { ChatPlan, Schedule, SubmissionPlan } from '../schedule';
import { type FollowerLog, ObservedRun } from './observed-run';

/** From the last planned moment on. Longer than the reconciler needs to find a lost run. */
const PATIENCE_MS = 150_000;
/** The delay of this process from which on others are presumed delayed as well. */
const LATE_MS = 600;
const LOOK_MS = 100;

/** Runs the schedule on a fresh installation, waits until it has settled, and returns the observations. */
export async function drive(schedule: Schedule): Promise<History> {
  const fleet = await Fleet.start(schedule);
  try {
    const course = await new Drive(fleet, schedule).run();
    return await report(schedule, course, fleet);
  } finally {
    await fleet.stop();
  }
}

class Drive {
  private readonly begun = performance.now();
  private readonly patience = new AbortController();
  private readonly caller: Caller;
  private readonly observedRuns: ObservedRun[] = [];
  private readonly strikes: Strike[] = [];
  private readonly unfinished: string[] = [];
  private sampling = true;

  constructor(
    private readonly fleet: Fleet,
    private readonly schedule: Schedule,
  ) {
    this.caller = new Caller(fleet, this.patience.signal);
  }

  async run(): Promise<Course> {
    const { seed, submissions, chats, faults } = this.schedule;
    const watch = this.watchLoad();
    const sampled = sample(
      ...([this.caller, this.observedRuns, new Random(seed + 1)] as const),
      () => this.sampling,
    );
    const work = [
      ...submissions.map((plan) => this.carryOut(plan)),
      ...chats.map((plan) => this.chat(plan)),
    ];
    await Promise.all(faults.map((fault, n) => this.strike(fault, n)));
    await this.at(Math.max(...submissions.map(({ atMs }) => atMs)));
    // Every process is healthy now, and everything has to end by itself.
    const calmAt = performance.now();
    const timer = setTimeout(() => this.patience.abort(), PATIENCE_MS);
    await Promise.all(work);
    await this.allOver();
    await this.allSettled();
    const recoveryMs = performance.now() - calmAt;
    this.sampling = false;
    await sampled;
    await readAll(this.fleet, this.observedRuns);
    await this.fleet.calm();
    await this.upstreamIsDone();
    clearTimeout(timer);
    clearInterval(watch);
    const { observedRuns, strikes, unfinished } = this;
    return { observedRuns, strikes, recoveryMs, unfinished };
  }

  /** Measures the delay of this process itself. */
  private watchLoad(): NodeJS.Timeout {
    let last = Date.now();
    return setInterval(() => {
      const fromMs = last;
      last = Date.now();
      if (last - fromMs > LATE_MS + LOOK_MS)
        this.strikes.push({
          fault: { kind: 'starvation', atMs: 0 },
          fromMs,
          toMs: last,
        });
    }, LOOK_MS);
  }

  private async strike(fault: FaultPlan, n: number): Promise<void> {
    await this.at(fault.atMs);
    const fromMs = Date.now();
    if (fault.kind === 'redeliver') await this.redeliver(fault.share, n);
    else await this.fleet.strike(fault);
    this.strikes.push({ fault, fromMs, toMs: Date.now() });
  }

  private redeliver(share: number, n: number): Promise<void> {
    const random = new Random(this.schedule.seed + n);
    const ids = this.acknowledged
      .filter(() => random.chance(share))
      .map(({ id }) => id!);
    return redeliver(this.fleet.stand.redis, ids, `again-${n}`);
  }

  private async carryOut(plan: SubmissionPlan): Promise<void> {
    await this.at(plan.atMs);
    const observedRun = this.newStory(plan.marker, plan);
    let tried = false;
    const submitted = this.caller
      .submit(plan, observedRun)
      .finally(() => (tried = true));
    // A twin may be acknowledged long before the other; a foreground reply arrives at the end.
    await this.wait(async () => observedRun.id !== undefined || tried);
    if (observedRun.id === undefined)
      return this.notAcknowledged(observedRun, submitted);
    await Promise.all([
      this.inTime(observedRun, () => 'submitted', submitted),
      ...plan.follows.map((follows, n) =>
        this.inTime(
          observedRun,
          () => `read by ${describe(observedRun.followers[n])}`,
          follow(this.caller, observedRun, follows),
        ),
      ),
      this.inTime(
        observedRun,
        () => 'stopped',
        this.stop(observedRun, plan.stop),
      ),
    ]);
  }

  private async stop(
    observedRun: ObservedRun,
    stop: SubmissionPlan['stop'],
  ): Promise<void> {
    if (!stop) return;
    await sleep(stop.afterMs);
    await this.caller.stop(observedRun, stop.how);
  }

  private async chat(plan: ChatPlan): Promise<void> {
    await this.at(plan.atMs);
    await this.caller.chat(plan, this.newStory(plan.marker));
  }

  private async inTime(
    observedRun: ObservedRun,
    what: () => string,
    done: Promise<void>,
  ): Promise<void> {
    await done;
    if (this.patience.signal.aborted)
      this.unfinished.push(
        `${observedRun.id} (${observedRun.statuses.join(', ')}${observedRun.deleted ? ', deleted' : ''}) was still being ${what()}`,
      );
  }

  private newStory(marker: string, plan?: SubmissionPlan): ObservedRun {
    const observedRun = new ObservedRun(this.patience.signal, marker, plan);
    this.observedRuns.push(observedRun);
    return observedRun;
  }

  private get acknowledged(): ObservedRun[] {
    return this.observedRuns.filter(({ id }) => id !== undefined);
  }

  private async allOver(): Promise<void> {
    const open = () =>
      this.acknowledged.filter(
        (observedRun) => !observedRun.isOver && !observedRun.deleted,
      );
    await this.wait(async () => open().length === 0);
    for (const observedRun of open())
      this.unfinished.push(
        `${observedRun.id} is ${observedRun.statuses.at(-1)}`,
      );
  }

  /** Its settlement follows the last event of a run, after a crash at the next pass of a reconciler. */
  private async allSettled(): Promise<void> {
    const redis = this.fleet.stand.redis.connect();
    let left: string[] = [];
    await this.wait(async () => {
      const unsettled = new Set(await redis.zrange(KEYS.unfinished, '0', '-1'));
      left = this.acknowledged.map(({ id }) => id!);
      left = left.filter((id) => unsettled.has(id));
      return left.length === 0;
    });
    redis.disconnect();
    this.unfinished.push(...left.map((id) => `${id} is not settled`));
  }

  /** Runs with unknown ids may continue; the checks decide how many those are. */
  private async upstreamIsDone(): Promise<void> {
    const { researchMs } = this.schedule;
    const deadline = performance.now() + 10_000 + researchMs;
    for (let left = Infinity; performance.now() < deadline && left > 0;) {
      const stats = await this.fleet.stand.stats();
      left = stats.in_flight - countNameless(this.observedRuns, stats);
      if (left > 0) await sleep(200);
    }
  }

  private async notAcknowledged(
    observedRun: ObservedRun,
    submitted: Promise<void>,
  ): Promise<void> {
    await submitted;
    if (observedRun.plan?.keyed)
      this.unfinished.push(`${observedRun.marker} was never acknowledged`);
  }

  /** Polls until `look` returns true, or the time limit passes. */
  private async wait(look: () => Promise<boolean>): Promise<void> {
    await until(
      'the time limit of the schedule',
      async () => this.patience.signal.aborted || (await look()),
      Infinity,
    );
  }

  private async at(ms: number): Promise<void> {
    await sleep(Math.max(0, ms - (performance.now() - this.begun)));
  }
}

function describe({ connections, frames, at }: FollowerLog): string {
  return `a follower of ${frames.length} frames over ${connections} connections, the last ${at}`;
}
