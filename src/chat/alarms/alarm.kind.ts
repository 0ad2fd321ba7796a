import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { RunDispatcher } from '../../runs/queue/run.dispatcher';
import type { RunJob } from '../../runs/queue/run.queue';
import { derivedId, timeOf } from '../../runs/run-id';
import { RunKinds } from '../../runs/run.kinds';

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
  constructor(
    @InjectQueue(ALARM_QUEUE) private readonly queue: Queue<RunJob>,
    private readonly kinds: RunKinds,
  ) {}

  onModuleInit(): void {
    this.kinds.register({
      name: ALARM,
      dispatcher: new RunDispatcher(this.queue, ALARM),
      purge: (id) => ({ runs: [followUpOf(id)] }),
    });
  }
}
