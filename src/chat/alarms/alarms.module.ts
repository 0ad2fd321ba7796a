import { BullModule, Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { ChatModule } from '../chat.module';
import type { AppConfig } from '../../config/config';
import { workerOptions } from '../../runs/queue/run.queue';
import {
  RunStoreModule,
  RunWorkerModule,
  RunsModule,
} from '../../runs/runs.module';
import { AlarmDispatcher } from './alarm.dispatcher';
import { AlarmProcessor } from './alarm.processor';
import { ALARM_QUEUE } from './alarm.queue';
import { AlarmTool } from './alarm.tool';
import { SetAlarmTool } from './set-alarm.tool';

const queue = BullModule.registerQueue({ name: ALARM_QUEUE });
const tools = {
  imports: [queue, RunsModule, ChatModule],
  providers: [SetAlarmTool, AlarmTool, AlarmDispatcher],
};

/** `set_alarm`, and the alarms themselves. */
@Module({})
export class AlarmsModule {
  static forApi(): DynamicModule {
    return { module: AlarmsModule, ...tools };
  }

  static forWorker({
    tools: { concurrency },
    runs,
  }: AppConfig): DynamicModule {
    // A decorator by nature, applied here because its options are known only once the configuration is read.
    Processor(ALARM_QUEUE, {
      ...workerOptions(concurrency, runs.leaseMs),
      autorun: false,
    })(AlarmProcessor);
    return {
      module: AlarmsModule,
      imports: [...tools.imports, RunWorkerModule],
      providers: [...tools.providers, AlarmProcessor],
    };
  }

  static forDoctor(): DynamicModule {
    return {
      module: AlarmsModule,
      imports: [queue, RunStoreModule],
      providers: [AlarmDispatcher],
      exports: [BullModule],
    };
  }
}
