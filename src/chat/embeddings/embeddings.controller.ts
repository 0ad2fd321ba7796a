import { Body, Controller, Headers, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { Caller, type CallerIdentity } from '../../platform/auth/caller';
import { clientDisconnect } from '../../platform/http/client-disconnect';
import { Embeddings } from './embeddings';

/** `POST /v1/embeddings`, in the form of OpenAI. */
@ApiExcludeController()
@Controller('v1/embeddings')
export class EmbeddingsController {
  constructor(private readonly embeddings: Embeddings) {}

  @Post()
  @RouteConfig({
    scope: 'chat',
    apiKey: 'if-configured',
    checksOrigin: true,
  } satisfies FastifyContextConfig)
  async create(
    @Body() body: unknown,
    @Caller() caller: CallerIdentity,
    @Headers() headers: Record<string, string | undefined>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const signal = clientDisconnect(request, reply);
    const origin = { caller, requestId: request.id, headers, signal };
    try {
      const vectors = await this.embeddings.create(body, origin);
      reply.code(200).type('application/json; charset=utf-8');
      void reply.send(vectors);
    } catch (error) {
      if (!signal.aborted) throw error;
      // The client has left: there is no response to send.
      reply.hijack();
    }
  }
}
