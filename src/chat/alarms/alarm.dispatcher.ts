import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DispatcherRegistry } from '../../runs/queue/dispatcher.registry';
import type { RunJob } from '../../runs/queue/run.queue';
import { derivedId, timeOf } from '../../runs/run-id';
import { RunDeletion } from '../../runs/record/run.deletion';
import { RunDispatcher } from '../../runs/queue/run.dispatcher';
import { ALARM, ALARM_QUEUE } from './alarm.queue';

/** The chat that answers the follow-up of an alarm. */
export function followUpOf(alarmId: string): string {
  return derivedId('chat_', timeOf(alarmId), alarmId);
}

/** Alarms have a queue of their own: their follow-ups wait for tools, and must not stand in the way of them. */
@Injectable()
export class AlarmDispatcher extends RunDispatcher implements OnModuleInit {
  constructor(
    @InjectQueue(ALARM_QUEUE) queue: Queue<RunJob>,
    private readonly carriers: DispatcherRegistry,
    private readonly removal: RunDeletion,
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
