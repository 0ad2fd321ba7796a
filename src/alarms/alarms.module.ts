import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module';
import { ToolInvocationsModule } from '../tool-invocations/tool-invocations.module';
import { AlarmTool } from './alarm.tool';
import { SetAlarmTool } from './set-alarm.tool';

/** `set_alarm`, and the alarms themselves. */
@Module({
  imports: [ToolInvocationsModule, ChatModule],
  providers: [SetAlarmTool, AlarmTool],
})
export class AlarmsModule {}
