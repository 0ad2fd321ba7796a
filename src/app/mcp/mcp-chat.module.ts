import { Injectable, Module } from '@nestjs/common';
import { ChatModule } from '../../chat/chat.module';
import { ChatSubmitter } from '../../chat/background/chat-submitter';
import { type ChatRequest, ChatRequestDto } from '../../chat/dto/chat.dto';
import { chatView } from '../../chat/loop/chat-view';
import { AppError } from '../../platform/errors';
import { toDto } from '../../platform/http/validation/dto-check';
import { unknownField } from '../../platform/field-error';
import {
  type ChatSubmission,
  type ChatView,
  McpChat,
} from '../../integrations/mcp-server/mcp-chat';
import type { RunRecord } from '../../runs/record/run-record';
import type { Accepted } from '../../runs/submit/run-submitter';

const text = (description: string) => ({ type: 'string', description });

/** The arguments that models need. The others of `POST /api/v1/chat` are taken too. */
const PARAMETERS = {
  type: 'object',
  properties: {
    message: text('What to answer.'),
    messages: {
      type: 'array',
      items: { type: 'object' },
      description: 'Earlier turns, oldest first, as {role, content}.',
    },
    model: text('The model that answers. Default: that of the service.'),
    context: {
      type: 'array',
      items: { type: 'string' },
      description: 'Facts, put before the message.',
    },
    time_zone: text('Of the user, e.g. Asia/Seoul.'),
  },
  required: ['message'],
};

/** Chats of the room of chats, for clients of the Model Context Protocol. */
@Injectable()
export class ChatsByMcp extends McpChat {
  readonly parameters = PARAMETERS;

  constructor(private readonly chats: ChatSubmitter) {
    super();
  }

  async submit({
    args,
    caller,
    requestId,
    forwarded,
    idempotencyKey,
  }: ChatSubmission): Promise<Accepted> {
    const { stream, background, ...given } = args;
    const modes = Object.entries({ stream, background })
      .filter(([, value]) => value !== undefined)
      .map(([path]) => unknownField(path));
    const { dto, errors } = await toDto(ChatRequestDto, given);
    const faults = [...modes, ...errors];
    if (faults.length > 0)
      throw new AppError('validation_failed', 'Some arguments are not valid.', {
        errors: faults.map((one) => ({
          ...one,
          path: `arguments.${one.path}`,
        })),
      });
    return this.chats.submit({
      request: dto as ChatRequest,
      origin: { caller, requestId, forwarded, waitMs: Infinity },
      mode: 'foreground',
      // As a request of the REST API has it.
      idempotency: { key: idempotencyKey, body: dto },
    });
  }

  view(record: RunRecord): ChatView {
    return chatView(record);
  }
}

@Module({
  imports: [ChatModule],
  providers: [{ provide: McpChat, useClass: ChatsByMcp }],
  exports: [McpChat],
})
export class McpChatModule {}
