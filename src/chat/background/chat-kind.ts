import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { RunDispatcher } from '../../runs/queue/run-dispatcher';
import type { RunJob } from '../../runs/queue/run-queue';
import { RunKinds } from '../../runs/queue/run-kinds';
import { Budgets } from '../../tenants/spend/budgets';
import { chatQuestion } from './chat-question';
import type { ChatRequest } from '../dto/chat.dto';
import { attachmentsOf } from './chat-purge';

/** The queue of chats, and the `tool` of their records. */
export const CHAT_QUEUE = 'chats';
export const CHAT = 'chat';

/** Chats have a queue of their own: they wait for tools, and must not take the tools' places in a worker. */
@Injectable()
export class ChatKind implements OnModuleInit {
  private readonly dispatcher: RunDispatcher;

  constructor(
    @InjectQueue(CHAT_QUEUE) queue: Queue<RunJob>,
    private readonly kinds: RunKinds,
    private readonly budgets: Budgets,
  ) {
    // Here, because an outage before its error listener is printed by BullMQ.
    this.dispatcher = new RunDispatcher(queue, CHAT);
  }

  onModuleInit(): void {
    this.kinds.register({
      name: CHAT,
      dispatcher: this.dispatcher,
      fieldsOf: (args) =>
        Promise.resolve({ question: chatQuestion(args as ChatRequest) }),
      mayBegin: (caller) => this.budgets.check(caller),
      purge: attachmentsOf,
    });
  }
}
