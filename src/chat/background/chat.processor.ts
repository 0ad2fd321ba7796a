import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { ended } from '../../runs/worker/ended';
import type { ActiveRun } from '../../runs/worker/active-run';
import { ActiveRuns } from '../../runs/worker/active-runs';
import { EndListeners } from '../../runs/upkeep/end-listeners';
import {
  type Admittance,
  RunProcessor,
  type Outcome,
} from '../../runs/worker/run.processor';
import { RunReader } from '../../runs/record/run.reader';
import { type Claim, type Finish, RunStore } from '../../runs/record/run.store';
import { BackgroundChatRunner } from './background-chat.runner';

/** Each of its turns and tools has a clock of its own; what a human takes is not counted. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** As much as a timer can hold, and more than anybody waits for. */
const MOST_MS = 14 * DAY_MS;

/** Carries the chats that are on record. Its options come from the configuration, see ChatModule. */
@Injectable()
export class ChatProcessor
  extends RunProcessor
  implements OnApplicationBootstrap
{
  constructor(
    store: RunStore,
    reader: RunReader,
    endings: EndListeners,
    held: ActiveRuns,
    private readonly chat: BackgroundChatRunner,
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

  protected run(claim: Claim, run: ActiveRun): Promise<Outcome> {
    return this.chat.run(claim, run);
  }

  protected abandon(): Promise<Finish> {
    return Promise.resolve(ended('failed', 'worker_crashed_repeatedly'));
  }
}
