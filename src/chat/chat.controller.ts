import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, type CallerIdentity } from '../platform/auth/caller';
import { RequiresScope } from '../platform/auth/requires-scope';
import { AppConfig } from '../config/config';
import { clientDisconnect } from '../platform/http/client-disconnect';
import { readForwarded } from '../platform/http/headers/headers-to-forward';
import { patiently } from '../platform/http/patient-json';
import { Shutdown } from '../platform/http/shutdown';
import { sendEventStream } from '../platform/http/sse';
import { isUnderWay } from '../runs/record/run';
import { waitingClient, whileWanted } from '../runs/http/run-reply';
import { IDEMPOTENCY_KEY } from '../runs/http/run-request';
import { pageEnd } from '../runs/http/run-list.dto';
import { CallerRunsListing } from '../runs/submit/caller-runs-listing';
import type { RunRecord } from '../runs/record/run-record';
import { RunsService } from '../runs/runs.service';
import { Budgets, VIEW_MS } from '../tenants/spend/budgets';
import { ChatRequestDto } from './dto/chat.dto';
import { CHAT_EVENT_STREAM } from './stream/chat-event.schema';
import { chatFrames } from './stream/chat-frames';
import { CHAT_EXAMPLES } from './dto/chat-examples';
import {
  ChatListDto,
  ListChatsQueryDto,
  toListedChat,
} from './dto/list-chats.dto';
import { ChatSubmitter } from './background/chat-submitter';
import type { ChatOrigin } from './loop/chat-runner';
import { ChatService } from './chat.service';
import { ChatDto, ChatResponseDto } from './dto/chat-response.dto';
import { failedReply } from './loop/chat-reply';
import { chatView, failedWait } from './loop/chat-view';
import { type ChatMode, readChatMode, readWait } from './chat-mode';

@ApiTags('chat')
@Controller('api/v1/chat')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly records: ChatSubmitter,
    private readonly invocations: RunsService,
    private readonly config: AppConfig,
    private readonly shutdown: Shutdown,
    private readonly budgets: Budgets,
    private readonly listing: CallerRunsListing,
  ) {}

  @Post()
  @HttpCode(200)
  @RequiresScope('chat', 'if-configured')
  @ApiOperation({ summary: 'Chat, with tools that the model calls itself' })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: IDEMPOTENCY_KEY,
    description:
      '1 to 255 printable characters, valid for 24 h. The chat gets a record; a repeated request returns the same chat.',
  })
  @ApiHeader({
    name: 'Prefer',
    required: false,
    description:
      '`respond-async`, which equals `background`, or `wait=N` to wait for tools at most N seconds.',
  })
  @ApiBody({ type: ChatRequestDto, examples: CHAT_EXAMPLES })
  @ApiExtraModels(ChatResponseDto)
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ChatResponseDto) } },
      ...CHAT_EVENT_STREAM,
    },
    description:
      'Also when a tool or the model failed, which `content` describes. With `stream`, or if only text/event-stream is accepted: ' +
      'the events `delta`, `tool_call`, `tool_progress`, `tool_result` and `handoff`, and last of all `completed` or `error`, each as in `ChatEvent`.',
  })
  @ApiAcceptedResponse({
    type: ChatDto,
    description: 'The chat is on record and still running.',
  })
  async reply(
    @Body() body: ChatRequestDto,
    @Caller() caller: CallerIdentity,
    @Headers() headers: Record<string, string | undefined>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatResponseDto | undefined> {
    const waitMs = readWait(headers);
    const { forwardedHeaders } = this.config.upstream;
    const forwarded = readForwarded(headers, forwardedHeaders);
    const client = waitingClient(reply);
    const origin = { caller, requestId: request.id, waitMs, forwarded, client };
    const mode = readChatMode(body, headers);
    if (mode) return this.submit(body, origin, mode, request, reply);
    await this.budgets.check(caller, VIEW_MS);
    const disconnected = clientDisconnect(request, reply);
    const { signal } = this.shutdown;
    if (body.stream || acceptsOnlyStreams(headers.accept)) {
      // Throws for invalid input here, while an error status can still be sent.
      const work = this.chat.stream(body, origin, disconnected, signal);
      await sendEventStream(request, reply, chatFrames(work));
      return undefined;
    }
    try {
      const answer = this.chat.reply(body, origin, disconnected, signal);
      return await patiently(reply, answer, failedReply);
    } catch (error) {
      if (disconnected.aborted) return undefined;
      throw error;
    }
  }

  @Get()
  @RequiresScope('read', 'always')
  @ApiOperation({
    operationId: 'Chats_list',
    summary: "The caller's own chats that are on record, newest first",
  })
  async list(
    @Query() query: ListChatsQueryDto,
    @Caller() { name }: CallerIdentity,
  ): Promise<ChatListDto> {
    const { records, nextCursor } = await this.listing.page(
      name,
      query,
      'chat_',
    );
    return {
      data: records.map((record) => toListedChat(chatView(record))),
      ...pageEnd(nextCursor),
    };
  }

  /** Creates the record of a chat, which a worker runs. */
  private async submit(
    body: ChatRequestDto,
    origin: ChatOrigin,
    { background, key, waitMs }: ChatMode,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<ChatDto | undefined> {
    const { record, token, replayed } = await this.records.submit({
      request: body,
      origin,
      mode: background ? 'background' : 'foreground',
      ...(key !== undefined && { idempotency: { key, body } }),
    });
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    const send = (settled: RunRecord): ChatDto => {
      if (!reply.sent && (background || isUnderWay(settled.status)))
        reply.code(202).header('Location', `/api/v1/chat/${record.id}`);
      return chatView(settled, token);
    };
    if (background) return send(record);
    const wanted = whileWanted(request, reply, this.shutdown);
    const settled = this.invocations.wait(record.id, waitMs, wanted);
    return patiently(reply, settled.then(send), (error) =>
      failedWait(chatView(record, token), error),
    );
  }
}

function acceptsOnlyStreams(accept = ''): boolean {
  const types = accept.split(',').map((range) => range.split(';')[0].trim());
  return types.every((type) => type.toLowerCase() === 'text/event-stream');
}
