import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ChatSubmitter } from '../background/chat-submitter';
import { chatView } from '../loop/chat-view';
import { CallerAccess } from '../../platform/auth/caller-access';
import { AppError } from '../../platform/errors';
import { MAX_QUESTION_CHARS } from '../../platform/message/message';
import { ownerOf } from '../../runs/record/run-record';
import { RunsService } from '../../runs/runs.service';
import { timeZone } from '../../tools/time-zone';
import type { ToolContext } from '../../tools/tool';
import { Tool } from '../../tools/tool.decorator';
import { ALARM, followUpOf, SET_ALARM } from './alarm-kind';

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
    .max(MAX_QUESTION_CHARS)
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
  // The follow-up is a background chat: an alarm that runs twice waits for the same one.
  annotations: { idempotentHint: true },
})
@Injectable()
export class AlarmTool {
  constructor(
    private readonly chats: ChatSubmitter,
    private readonly invocations: RunsService,
    private readonly access: CallerAccess,
  ) {}

  async run(
    { message, follow_up, time_zone }: z.infer<typeof alarmArguments>,
    { tenant, requestId, invocationId, signal, progress }: ToolContext,
  ) {
    if (!(await this.access.mayAct(tenant)))
      throw new AppError('api_key_removed');
    if (follow_up === undefined) return message;
    progress(message);
    const alarm = await this.invocations.read(invocationId);
    const { record } = await this.chats.continue({
      request: { message: follow_up, time_zone },
      // An alarm never leads to another one.
      origin: {
        caller: ownerOf(alarm),
        requestId,
        excludedTools: [SET_ALARM],
      },
      id: followUpOf(invocationId),
      openedBy: alarm.tokenHashes,
    });
    const { id } = record;
    const chat = chatView(await this.invocations.settled(id, signal));
    // A follow-up without a reader is stopped. After a shutdown the next worker waits for the same one.
    if (signal.reason === 'cancel' || signal.reason === 'deadline')
      await this.invocations.stop(id);
    signal.throwIfAborted();
    const waits = chat.status === 'requires_action';
    return [
      message,
      ...(chat.content === null ? [] : [chat.content]),
      ...(waits ? [`It waits at /api/v1/chat/${id}.`] : []),
    ].join('\n\n');
  }
}
