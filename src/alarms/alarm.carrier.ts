import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Carriers } from '../tool-invocations/carriers';
import type { InvocationJob } from '../tool-invocations/invocation.queue';
import { derivedId, timeOf } from '../tool-invocations/invocation.id';
import { InvocationRemoval } from '../tool-invocations/invocation.removal';
import { QueueCarrier } from '../tool-invocations/queue.carrier';
import { ALARM, ALARM_QUEUE } from './alarm.queue';

/** The chat that answers the follow-up of an alarm. */
export function followUpOf(alarmId: string): string {
  return derivedId('chat_', timeOf(alarmId), alarmId);
}

/** Alarms have a queue of their own: their follow-ups wait for tools, and must not stand in the way of them. */
@Injectable()
export class AlarmCarrier extends QueueCarrier implements OnModuleInit {
  constructor(
    @InjectQueue(ALARM_QUEUE) queue: Queue<InvocationJob>,
    private readonly carriers: Carriers,
    private readonly removal: InvocationRemoval,
  ) {
    super(queue, ALARM);
  }

  onModuleInit(): void {
    this.carriers.register(ALARM, this);
    this.removal.register({
      remains: (id, { tool }) =>
        tool === ALARM ? { invocations: [followUpOf(id)] } : {},
    });
  }
}
