import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppendOnlyFileRewrite } from '../../redis/append-only-file.rewrite';
import { RedisConnections } from '../../redis/redis-connections';
import { KEYS } from '../record/run.keys';
import { Reconciler } from './reconciler';

const EVERY_MS = 30_000;
/** Less than the least time between two rounds of one worker, so that one alone misses none. */
const LOCK_MS = 20_000;

/** Lets any worker reconcile now and then, but only one in each round. */
@Injectable()
export class ReconcilerSchedule implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('Reconciler');
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly connections: RedisConnections,
    private readonly reconciler: Reconciler,
    private readonly rewrite: AppendOnlyFileRewrite,
  ) {}

  onModuleInit(): void {
    this.next(EVERY_MS * Math.random());
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Does nothing if another worker has begun a round a moment ago. */
  async round(): Promise<void> {
    // Never given back: it is what keeps the others out of the same round, and runs out if its worker dies.
    const lock = await this.connections.commands.set(
      KEYS.reconciling,
      process.pid,
      'PX',
      LOCK_MS,
      'NX',
    );
    if (lock === null) return;
    let failed = 0;
    for await (const page of this.reconciler.find()) {
      const mended = page.map((found) => this.reconciler.mend(found));
      const outcomes = await Promise.allSettled(mended);
      failed += outcomes.filter(({ status }) => status === 'rejected').length;
    }
    await this.rewrite.runIfDue();
    if (failed > 0)
      this.log.warn(`${failed} could not be mended and will be tried again`);
  }

  private next(ms: number): void {
    this.timer = setTimeout(() => {
      this.round()
        .catch(() =>
          this.log.warn('A round was broken off and will be made again'),
        )
        .finally(() => {
          // Workers keep apart from each other by chance.
          if (this.timer) this.next(EVERY_MS * (0.75 + Math.random() / 2));
        });
    }, ms).unref();
  }
}
