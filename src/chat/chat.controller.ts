import {
  Body,
  Controller,
  Headers,
  HttpCode,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, type CallerIdentity } from '../auth/caller';
import { RequiresApiKey } from '../auth/requires-api-key';
import { clientGone } from '../http/client-gone';
import { Shutdown } from '../http/shutdown';
import { sendEventStream } from '../http/sse';
import { ChatRequestDto, ChatResponseDto } from './chat.dto';
import { chatFrames } from './chat.frames';
import { ChatService } from './chat.service';

@ApiTags('chat')
@Controller('api/v1/chat')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly shutdown: Shutdown,
  ) {}

  @Post()
  @HttpCode(200)
  @RequiresApiKey()
  @ApiOperation({ summary: 'Chat, with tools that the model calls itself' })
  @ApiExtraModels(ChatResponseDto)
  @ApiOkResponse({
    description:
      'Also when a tool or the model failed; `content` says so. With `stream`, or if only text/event-stream is accepted: ' +
      'the events `delta`, `tool_call`, `tool_progress` and `tool_result`, and last of all `completed` or `error`.',
    content: {
      'application/json': {
        schema: { $ref: getSchemaPath(ChatResponseDto) },
      },
      'text/event-stream': { schema: { type: 'string' } },
    },
  })
  async reply(
    @Body() body: ChatRequestDto,
    @Caller() caller: CallerIdentity,
    @Headers('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatResponseDto | undefined> {
    const gone = clientGone(request, reply);
    const origin = { caller, requestId: request.id };
    const { signal } = this.shutdown;
    if (body.stream || takesOnlyStreams(accept)) {
      // What must be refused is refused here: the stream is not open yet.
      const work = this.chat.stream(body, origin, gone, signal);
      await sendEventStream(request, reply, chatFrames(work));
      return undefined;
    }
    try {
      return await this.chat.reply(body, origin, gone, signal);
    } catch (error) {
      // Nobody is left to tell.
      if (gone.aborted) return undefined;
      throw error;
    }
  }
}

function takesOnlyStreams(accept = ''): boolean {
  const types = accept.split(',').map((range) => range.split(';')[0].trim());
  return types.every((type) => type.toLowerCase() === 'text/event-stream');
}
