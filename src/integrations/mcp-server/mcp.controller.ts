import { Controller, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { Caller, type CallerIdentity } from '../../platform/auth/caller';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { readForwarded } from '../../platform/http/headers/headers-to-forward';
import { Shutdown } from '../../platform/http/shutdown';
import { whileWanted } from '../../runs/http/run-reply';
import { McpEndpoint } from './mcp-endpoint';

/** Any key may connect; its tools are those that its scopes allow. Answers belong to the caller, so one must be known. */
const ACCESS = {
  scope: 'any',
  apiKey: 'always',
  checksOrigin: true,
} satisfies FastifyContextConfig;

/** The Model Context Protocol over Streamable HTTP. */
@ApiExcludeController()
@Controller('mcp')
export class McpController {
  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly config: AppConfig,
    private readonly shutdown: Shutdown,
  ) {}

  @Post()
  @RouteConfig(ACCESS)
  async receive(
    @Caller() caller: CallerIdentity,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // Each message is counted by the limits of requests.
    if (Array.isArray(request.body))
      throw new AppError('bad_request', 'Send one message per request.');
    const { signal } = this.shutdown;
    const call = {
      caller,
      requestId: request.id,
      forwarded: readForwarded(
        request.headers as Record<string, string | undefined>,
        this.config.upstream.forwardedHeaders,
      ),
      response: reply.raw,
      wanted: whileWanted(request, reply, this.shutdown),
      shutdown: signal,
    };
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.setHeader('x-accel-buffering', 'no');
    await this.endpoint.serve(request, call);
    // An idle connection would delay the shutdown.
    if (signal.aborted) request.raw.socket.end();
  }
}
