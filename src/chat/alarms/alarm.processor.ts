import { Injectable } from '@nestjs/common';
import { ToolProcessor } from '../../tool-invocations/execution/tool.processor';

/** Rings alarms when they are due. Its options come from the configuration, see AlarmsModule. */
@Injectable()
export class AlarmProcessor extends ToolProcessor {}
