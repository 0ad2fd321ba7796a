import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { RunDispatcher } from '../../runs/queue/run.dispatcher';
import type { RunJob } from '../../runs/queue/run.queue';
import { RunKinds } from '../../runs/run.kinds';
import { attachmentsOf } from './chat.purge';

/** The queue of chats, and the `tool` of their records. */
export const CHAT_QUEUE = 'chats';
export const CHAT = 'chat';

/** Chats have a queue of their own: they wait for tools, and must not take the tools' places in a worker. */
@Injectable()
export class ChatKind implements OnModuleInit {
  constructor(
    @InjectQueue(CHAT_QUEUE) private readonly queue: Queue<RunJob>,
    private readonly kinds: RunKinds,
  ) {}

  onModuleInit(): void {
    this.kinds.register({
      name: CHAT,
      dispatcher: new RunDispatcher(this.queue, CHAT),
      purge: attachmentsOf,
    });
  }
}
