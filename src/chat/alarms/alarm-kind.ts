import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { RunDispatcher } from '../../runs/queue/run-dispatcher';
import type { RunJob } from '../../runs/queue/run-queue';
import { derivedId, timeOf } from '../../runs/record/run-id';
import { RunKinds } from '../../runs/queue/run-kinds';

/** The queue of alarms, and the name of the tool that an alarm is a run of. */
export const ALARM_QUEUE = 'alarms';
export const ALARM = 'alarm';
/** The tool that sets one. */
export const SET_ALARM = 'set_alarm';

/** The chat that answers the follow-up of an alarm. */
export function followUpOf(alarmId: string): string {
  return derivedId('chat_', timeOf(alarmId), alarmId);
}

/** Alarms have a queue of their own: their follow-ups wait for tools, and must not take the tools' places in a worker. */
@Injectable()
export class AlarmKind implements OnModuleInit {
  private readonly dispatcher: RunDispatcher;

  constructor(
    @InjectQueue(ALARM_QUEUE) queue: Queue<RunJob>,
    private readonly kinds: RunKinds,
  ) {
    // Here, because an outage before its error listener is printed by BullMQ.
    this.dispatcher = new RunDispatcher(queue, ALARM);
  }

  onModuleInit(): void {
    this.kinds.register({
      name: ALARM,
      dispatcher: this.dispatcher,
      purge: (id) => ({ runs: [followUpOf(id)] }),
    });
  }
}
