import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { report } from '../../platform/metrics/facts';
import { FOLLOW_MS } from '../events/subscriber-presence';
import { WorkerSignals, type WorkerSignal } from '../queue/worker-signals';
import { type Claim, RunStore } from '../store/run.store';
import { ActiveRun } from './active-run';
import { LeaseRenewal, RENEWALS_PER_LEASE } from './lease-renewal';
import { TimerWheel } from './timer-wheel';

/** The runs that this process holds: renews their leases, and passes signals on to them. */
@Injectable()
export class ActiveRuns implements OnModuleInit, OnApplicationShutdown {
  /** Identifies this process on records. Reveals nothing about the machine. */
  readonly worker = randomUUID();
  private readonly runs = new Map<string, ActiveRun>();
  private readonly polls = new TimerWheel();
  private readonly leases: LeaseRenewal;
  private timer?: NodeJS.Timeout;
  private closing = false;
  private overBudget = false;

  constructor(
    store: RunStore,
    private readonly signals: WorkerSignals,
    private readonly config: AppConfig,
  ) {
    this.leases = new LeaseRenewal(store, config.runs.leaseMs);
  }

  async onModuleInit(): Promise<void> {
    // As its runs name it.
    new Logger('Runs').log({ msg: 'Claims runs', worker: this.worker });
    this.timer = setInterval(
      () => void this.beat(),
      this.config.runs.leaseMs / RENEWALS_PER_LEASE,
    );
    await this.signals.listen((signal, id) => this.pass(signal, id));
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  find(id: string): ActiveRun | undefined {
    return this.runs.get(id);
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
    report('active_runs', { change: 1 });
    if (this.closing) run.stop('shutdown');
    return run;
  }

  free(run: ActiveRun): void {
    run.free();
    report('active_runs', { change: -1 });
    if (this.runs.get(run.id) === run) this.runs.delete(run.id);
  }

  /** Another worker has claimed it. */
  lost(run: ActiveRun): Promise<void> {
    return this.leases.lost(run);
  }

  /** Stops every run, so that it is released. */
  stopAll(): void {
    this.closing = true;
    for (const run of this.runs.values()) run.stop('shutdown');
  }

  private pass(signal: WorkerSignal, id: string): void {
    const run = this.runs.get(id);
    if (!run) return;
    const { attended } = run;
    if (signal === 'followed') run.attend(FOLLOW_MS);
    if (signal === 'cancel') run.stop('cancel');
    // A run that was attended already is polled at the highest rate.
    else if (signal === 'news' || !attended) run.nudge();
  }

  private async beat(): Promise<void> {
    this.overBudget = process.memoryUsage.rss() > this.config.runs.memoryBytes;
    await this.leases.renewAll(this.runs.values());
  }
}
