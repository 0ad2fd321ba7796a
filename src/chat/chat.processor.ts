import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { ended } from '../tool-invocations/ended';
import type { HeldRun } from '../tool-invocations/held-run';
import { HeldRuns } from '../tool-invocations/held-runs';
import { InvocationEndings } from '../tool-invocations/invocation.endings';
import {
  type Admittance,
  InvocationProcessor,
  type Outcome,
} from '../tool-invocations/invocation.processor';
import { InvocationReader } from '../tool-invocations/invocation.reader';
import {
  type Claim,
  type Finish,
  InvocationStore,
} from '../tool-invocations/invocation.store';
import { DurableChat } from './durable.chat';

/** Each of its turns and tools has a clock of its own; what a human takes is not counted. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** As much as a timer can hold, and more than anybody waits for. */
const MOST_MS = 14 * DAY_MS;

/** Carries the chats that are on record. Its options come from the configuration, see ChatModule. */
@Injectable()
export class ChatProcessor
  extends InvocationProcessor
  implements OnApplicationBootstrap
{
  constructor(
    store: InvocationStore,
    reader: InvocationReader,
    endings: InvocationEndings,
    held: HeldRuns,
    private readonly chat: DurableChat,
    private readonly config: AppConfig,
  ) {
    super(store, reader, endings, held);
  }

  /** Not before all tools are there. */
  onApplicationBootstrap(): void {
    void this.worker.run();
  }

  protected admit(): Promise<Admittance> {
    const { tools, research } = this.config;
    const researchMs = tools.maxResearch * research.timeoutMs;
    return Promise.resolve({
      timeLimitMs: Math.min(DAY_MS + researchMs, MOST_MS),
    });
  }

  protected run(claim: Claim, run: HeldRun): Promise<Outcome> {
    return this.chat.run(claim, run);
  }

  protected abandon(): Promise<Finish> {
    return Promise.resolve(ended('failed', 'worker_crashed_repeatedly'));
  }
}
