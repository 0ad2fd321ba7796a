import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ChatService } from '../chat/chat.service';
import { timeZone } from '../tools/time-zone';
import type { ToolContext } from '../tools/tool';
import { Tool } from '../tools/tool.decorator';
import { ALARM } from './alarm.queue';

/** A follow-up may call for research; each of its turns and calls has a clock of its own. */
const LIMIT_MS = 24 * 60 * 60 * 1000;

export const alarmArguments = z.object({
  message: z
    .string()
    .min(1)
    .max(1_000)
    .describe('What the alarm is for, in a few words to the user.'),
  follow_up: z
    .string()
    .min(1)
    .max(32_000)
    .optional()
    .describe('A message that is answered when the alarm rings.'),
  time_zone: timeZone,
});

/** An alarm that rings. Its result is its message, and the answer to the follow-up if there is one. */
@Tool({
  name: ALARM,
  description: 'An alarm that was set with set_alarm.',
  parameters: alarmArguments,
  timeoutMs: LIMIT_MS,
  internal: true,
})
@Injectable()
export class AlarmTool {
  constructor(private readonly chat: ChatService) {}

  async run(
    { message, follow_up, time_zone }: z.infer<typeof alarmArguments>,
    { tenant, requestId, signal, progress }: ToolContext,
  ) {
    if (follow_up === undefined) return message;
    progress(message);
    const { content } = await this.chat.reply(
      { message: follow_up, time_zone },
      { caller: { name: tenant }, requestId },
      signal,
      signal,
    );
    return `${message}\n\n${content}`;
  }
}
