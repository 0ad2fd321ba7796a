import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Carriers } from '../tool-invocations/carriers';
import type { InvocationJob } from '../tool-invocations/invocation.queue';
import { QueueCarrier } from '../tool-invocations/queue.carrier';
import { ALARM, ALARM_QUEUE } from './alarm.queue';

/** Alarms have a queue of their own: their follow-ups wait for tools, and must not stand in the way of them. */
@Injectable()
export class AlarmCarrier extends QueueCarrier implements OnModuleInit {
  constructor(
    @InjectQueue(ALARM_QUEUE) queue: Queue<InvocationJob>,
    private readonly carriers: Carriers,
  ) {
    super(queue, ALARM);
  }

  onModuleInit(): void {
    this.carriers.register(ALARM, this);
  }
}
