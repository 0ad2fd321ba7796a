import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { RedisConnections } from './redis-connections';

const EVERY_MS = 1_000;
/** Of maxmemory, where no ceiling is configured: what was accepted needs the rest to end. */
const SHARE = 0.9;

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
    this.isFull = infos.some((info) => this.isOver(info));
  }

  private isOver(info: string): boolean {
    const { redisMaxBytes } = this.config.runs;
    const number = (name: string): number =>
      Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
    const ceiling = redisMaxBytes ?? number('maxmemory') * SHARE;
    return ceiling > 0 && number('used_memory') > ceiling;
  }
}
