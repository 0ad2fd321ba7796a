import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ToolRegistry } from '../tools/tool.registry';
import { InvocationEndings } from './invocation.endings';
import { InvocationReader } from './invocation.reader';
import { UnfinishedIndex } from './unfinished.index';

const EVERY_MS = 30_000;
const PAGE = 200;
/** A submission that is younger may still be under way. */
const AGE_MS = 60_000;

/** Finds invocations that a crash between two writes has left behind, and gives them to the workers again. */
@Injectable()
export class InvocationSweeper implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('InvocationSweeper');
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly unfinished: UnfinishedIndex,
    private readonly endings: InvocationEndings,
    private readonly reader: InvocationReader,
    private readonly registry: ToolRegistry,
  ) {}

  onModuleInit(): void {
    this.timer = setTimeout(
      () => this.round(),
      EVERY_MS * Math.random(),
    ).unref();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private round(): void {
    this.sweep()
      .catch(() =>
        this.log.warn('The sweep was broken off and will be made again'),
      )
      .finally(() => {
        // Workers keep apart from each other by chance.
        if (this.timer)
          this.timer = setTimeout(
            () => this.round(),
            EVERY_MS * (0.75 + Math.random() / 2),
          ).unref();
      });
  }

  async sweep(): Promise<void> {
    for (let offset = 0; ;) {
      const ids = await this.unfinished.page(AGE_MS, offset, PAGE);
      if (ids.length === 0) return;
      const ended = await Promise.all(ids.map((id) => this.mend(id)));
      // What was removed from the index has moved the rest forward.
      offset += ended.filter((removed) => !removed).length;
    }
  }

  /** Whether the invocation has ended and was taken out of the index. */
  private async mend(id: string): Promise<boolean> {
    const state = await this.reader.state(id);
    if (state.kind === 'ended') {
      await this.endings.settle(id);
      return true;
    }
    if (state.kind === 'waiting')
      await this.registry.get(state.tool).revive(id, state.priority);
    return false;
  }
}
