import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { CallerAccessModule } from '../../platform/auth/caller-access.module';
import { RunStoreModule, RunsModule } from '../../runs/runs.module';
import { ChatModule } from '../chat.module';
import { ALARM_QUEUE, AlarmKind } from './alarm-kind';
import { AlarmTool } from './alarm.tool';
import { SetAlarmTool } from './set-alarm.tool';

const queue = BullModule.registerQueue({ name: ALARM_QUEUE });

/** `set_alarm`, and the alarms themselves: runs of a tool with a queue of its own. */
@Module({
  imports: [queue, CallerAccessModule, RunsModule, ChatModule],
  providers: [SetAlarmTool, AlarmTool, AlarmKind],
})
export class AlarmsModule {
  static forDoctor(): DynamicModule {
    return {
      module: AlarmsDoctorModule,
      imports: [queue, RunStoreModule],
      providers: [AlarmKind],
      exports: [BullModule],
    };
  }
}

@Module({})
class AlarmsDoctorModule {}
