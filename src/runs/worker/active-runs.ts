import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { FOLLOW_MS } from '../events/subscriber-presence';
import { WorkerSignals, type WorkerSignal } from '../events/worker-signals';
import { type Claim, RunStore } from '../record/run.store';
import { ActiveRun } from './active-run';
import { TimerWheel } from './timer-wheel';

/** Leases that are renewed at once. */
const SLICE = 200;

/** The runs that this process holds: renews their leases, and passes signals on to them. */
@Injectable()
export class ActiveRuns implements OnModuleInit, OnApplicationShutdown {
  /** Identifies this process on records. Reveals nothing about the machine. */
  readonly worker = randomUUID();
  private readonly log = new Logger('ActiveRuns');
  private readonly runs = new Map<string, ActiveRun>();
  private readonly polls = new TimerWheel();
  private timer?: NodeJS.Timeout;
  private beating = false;
  private closing = false;
  private overBudget = false;

  constructor(
    private readonly store: RunStore,
    private readonly signals: WorkerSignals,
    private readonly config: AppConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    this.timer = setInterval(
      () => void this.beat(),
      this.config.runs.leaseMs / 3,
    );
    await this.signals.listen((ring, id) => this.hear(ring, id));
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  get count(): number {
    return this.runs.size;
  }

  /** The process is over its memory budget. */
  get crowded(): boolean {
    return this.overBudget;
  }

  hold(claim: Claim): ActiveRun {
    const run = new ActiveRun(claim, this.polls, this.overBudget);
    this.runs.set(claim.id, run);
    if (this.closing) run.stop('shutdown');
    return run;
  }

  free(run: ActiveRun): void {
    run.free();
    if (this.runs.get(run.id) === run) this.runs.delete(run.id);
  }

  /** Stops every run, so that it is released. */
  stopAll(): void {
    this.closing = true;
    for (const run of this.runs.values()) run.stop('shutdown');
  }

  private hear(ring: WorkerSignal, id: string): void {
    const run = this.runs.get(id);
    if (!run) return;
    const { attended } = run;
    if (ring === 'followed') run.attend(FOLLOW_MS);
    if (ring === 'cancel') run.stop('cancel');
    // A run that was attended already is polled at the highest rate.
    else if (ring === 'news' || !attended) run.nudge();
  }

  private async beat(): Promise<void> {
    this.overBudget = process.memoryUsage.rss() > this.config.runs.memoryBytes;
    // While Redis is unavailable one heartbeat waits for it; more of them would only pile up.
    if (this.beating) return;
    this.beating = true;
    try {
      const runs = [...this.runs.values()];
      for (let n = 0; n < runs.length; n += SLICE)
        await Promise.all(
          runs.slice(n, n + SLICE).map((run) => this.renew(run)),
        );
    } catch {
      this.log.warn('Leases could not be renewed; trying again');
    } finally {
      this.beating = false;
    }
  }

  private async renew(run: ActiveRun): Promise<void> {
    const answer = await this.store.heartbeat(run.id, run.fence);
    if (!answer) return run.stop('lost');
    if (answer.cancelled) run.stop('cancel');
    run.attend(answer.followedMs);
  }
}
