import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { WaitingList } from './waiting-list';

const EVERY_MS = 2_000;

/** Looks now and then whether somebody waits in front of a free place, where there are limits at all. */
@Injectable()
export class WaitingListWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('WaitingListWatch');
  private timer?: NodeJS.Timeout;
  private looking = false;

  constructor(
    private readonly line: WaitingList,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    if (this.config.research.modelLimits.size > 0)
      this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    // While Redis is away one look waits for it; more of them would only pile up.
    if (this.looking) return;
    this.looking = true;
    try {
      await this.line.wake();
    } catch {
      this.log.warn('The line could not be looked at; trying again');
    } finally {
      this.looking = false;
    }
  }
}
