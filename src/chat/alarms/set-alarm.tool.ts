import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { derivedId, timeOf } from '../../runs/record/run-id';
import { RunsService } from '../../runs/runs.service';
import { serverTimeZone } from '../../tools/time-zone';
import type { ToolContext } from '../../tools/tool';
import { Tool } from '../../tools/tool.decorator';
import { alarmTime } from './alarm-time';
import { ALARM, SET_ALARM } from './alarm-kind';
import { alarmArguments } from './alarm.tool';

const parameters = alarmArguments.extend({
  time: z
    .string()
    .min(1)
    .max(64)
    .describe(
      'When: ISO-8601, with an offset, or local to the time zone of the user.',
    ),
});

/**
 * Sets an alarm: a run of the tool `alarm` that begins at its time. Tokens that open the run that set it may read, follow
 * and cancel it.
 */
@Tool({
  name: SET_ALARM,
  description:
    'Sets an alarm for the user. At the given time its message is announced and, if there is a follow_up, that message is ' +
    'answered as if the user had sent it then. Ask for the current time first if the time is relative.',
  parameters,
  returns: z.object({
    alarm_id: z.string(),
    time: z.string().describe('RFC 3339, UTC.'),
    message: z.string(),
  }),
  // The same call sets the same alarm.
  annotations: { idempotentHint: true, openWorldHint: false },
  // A text that the model has read must not make it act later, without supervision.
  needsApproval: (args, { foreignText }) => foreignText && !!args?.follow_up,
})
@Injectable()
export class SetAlarmTool {
  constructor(private readonly invocations: RunsService) {}

  async run(
    { time, ...args }: z.infer<typeof parameters>,
    { invocationId }: ToolContext,
  ) {
    const zone = args.time_zone ?? serverTimeZone();
    // Judged by when it was asked for, so that the same call sets the same alarm, however late it is made again.
    const dueMs = alarmTime(time, zone, timeOf(invocationId));
    // One for each invocation that sets one; it begins with a time as all ids do, so that alarms are listed by theirs.
    const id = derivedId('inv_', dueMs, invocationId);
    const alarm = { id, tool: ALARM, arguments: args, dueMs, isPart: false };
    await this.invocations.schedule(invocationId, alarm);
    const { message } = args;
    return { alarm_id: id, time: new Date(dueMs).toISOString(), message };
  }
}
