import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Carriers } from '../tool-invocations/carriers';
import type { InvocationJob } from '../tool-invocations/invocation.queue';
import { QueueCarrier } from '../tool-invocations/queue.carrier';
import { CHAT, CHAT_QUEUE } from './chat.queue';

/** Chats have a queue of their own: they wait for tools, and must not stand in the way of them. */
@Injectable()
export class ChatCarrier extends QueueCarrier implements OnModuleInit {
  constructor(
    @InjectQueue(CHAT_QUEUE) queue: Queue<InvocationJob>,
    private readonly carriers: Carriers,
  ) {
    super(queue, CHAT);
  }

  onModuleInit(): void {
    this.carriers.register(CHAT, this);
  }
}
