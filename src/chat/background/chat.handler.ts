import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import type { Claim, Finish } from '../../runs/store/run-claim';
import type { ActiveRun } from '../../runs/worker/active-run';
import type { Admittance, RunHandler } from '../../runs/worker/run.handler';
import { ended, type Outcome } from '../../runs/worker/run-outcome';
import { RunWorker } from '../../runs/worker/run.worker';
import { BackgroundChatRunner } from './background-chat-runner';
import type { ChatField } from './chat-fields';
import { CHAT } from './chat-kind';

/** Each turn and tool has a time limit of its own; the time that a decision takes is not counted. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** A timer holds no more than 24 days. */
const MAX_MS = 14 * DAY_MS;

/** Carries out the chats that are on record. */
@Injectable()
export class ChatHandler implements RunHandler, OnModuleInit {
  constructor(
    private readonly worker: RunWorker,
    private readonly runner: BackgroundChatRunner,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.worker.register(CHAT, this, this.config.chat.concurrency);
  }

  admit(): Promise<Admittance> {
    const { tools, research } = this.config;
    const researchMs = tools.maxResearch * research.timeoutMs;
    const timeLimitMs = Math.min(DAY_MS + researchMs, MAX_MS);
    return Promise.resolve({ timeLimitMs });
  }

  run(claim: Claim<ChatField>, run: ActiveRun): Promise<Outcome> {
    return this.runner.run(claim, run);
  }

  abandon(): Promise<Finish> {
    return Promise.resolve(ended('failed', 'worker_crashed_repeatedly'));
  }
}
