import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DispatcherRegistry } from '../../runs/queue/dispatcher.registry';
import type { RunJob } from '../../runs/queue/run.queue';
import { RunDispatcher } from '../../runs/queue/run.dispatcher';
import { CHAT, CHAT_QUEUE } from './chat.queue';

/** Chats have a queue of their own: they wait for tools, and must not stand in the way of them. */
@Injectable()
export class ChatDispatcher extends RunDispatcher implements OnModuleInit {
  constructor(
    @InjectQueue(CHAT_QUEUE) queue: Queue<RunJob>,
    private readonly carriers: DispatcherRegistry,
  ) {
    super(queue, CHAT);
  }

  onModuleInit(): void {
    this.carriers.register(CHAT, this);
  }
}
