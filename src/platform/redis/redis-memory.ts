import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { RedisConnections } from './redis-connections';
import { isNearlyFull } from './state/redis-problems';

const EVERY_MS = 1_000;

/** Whether Redis has so little memory left that nothing more is accepted. Looked at in the background. */
@Injectable()
export class RedisMemory implements OnModuleInit, OnApplicationShutdown {
  /** As it was about a second ago; during an outage as it was before. */
  isFull = false;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly connections: RedisConnections,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => {
      if (this.connections.ready) this.look().catch(() => undefined);
    }, EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** One full server suffices: which one a run lies on is left to chance. */
  async look(): Promise<void> {
    const { masters } = this.connections;
    const infos = await Promise.all(
      masters.map((master) => master.info('memory')),
    );
    const { redisMaxBytes } = this.config.runs;
    this.isFull = infos.some((info) => isNearlyFull(info, redisMaxBytes));
  }
}
