import {
  Body,
  Controller,
  Headers,
  HttpCode,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, type CallerIdentity } from '../auth/caller';
import { RequiresApiKey } from '../auth/requires-api-key';
import { AppError } from '../errors';
import { clientGone } from '../http/client-gone';
import { Shutdown } from '../http/shutdown';
import { ChatRequestDto, ChatResponseDto } from './chat.dto';
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
  @ApiOkResponse({
    type: ChatResponseDto,
    description: 'Also when a tool or the model failed; `content` says so.',
  })
  async reply(
    @Body() body: ChatRequestDto,
    @Caller() caller: CallerIdentity,
    @Headers('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatResponseDto | undefined> {
    if (takesOnlyStreams(accept)) {
      throw new AppError(
        'not_acceptable',
        'A chat is answered as application/json.',
      );
    }
    const gone = clientGone(request, reply);
    try {
      return await this.chat.reply(
        body,
        { caller, requestId: request.id },
        gone,
        this.shutdown.signal,
      );
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
