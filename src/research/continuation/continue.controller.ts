import { Body, Headers, Post, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConflictResponse,
  ApiHeader,
  ApiOperation,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, type CallerIdentity } from '../../platform/auth/caller';
import { RequiresScope } from '../../platform/auth/requires-scope';
import { AppConfig } from '../../config/config';
import { readForwarded } from '../../platform/http/headers/headers-to-forward';
import { InvocationDto, toInvocationDto } from '../../runs/http/run.dto';
import { Run } from '../../runs/http/run.guard';
import {
  IDEMPOTENCY_KEY,
  readIdempotencyKey,
} from '../../runs/http/run-request';
import { InvocationController } from '../../runs/http/run-routes';
import type { RunRecord } from '../../runs/record/run-record';
import { CONTINUE_EXAMPLES, ContinueDto } from './continue.dto';
import { Continuation } from './continuation';

@InvocationController()
export class ContinueController {
  constructor(
    private readonly continuation: Continuation,
    private readonly config: AppConfig,
  ) {}

  @Post('continue')
  @RequiresScope('research', 'if-configured')
  @ApiBody({ type: ContinueDto, examples: CONTINUE_EXAMPLES })
  @ApiOperation({
    operationId: 'Invocation_continue',
    summary: 'Continue a run of the agent that ended at a limit or unfinished',
    description:
      'A new invocation begins with all that this one has found, asks again for what failed, and has a budget of its own. One whose steps no release reads any more is begun anew: `inherited` is null then. This one stays as it is. Where API keys are configured, it takes the key that created this one: the token alone buys no run.',
  })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: IDEMPOTENCY_KEY,
    description: '1 to 255 printable characters, kept for 24 h.',
  })
  @ApiAcceptedResponse({
    type: InvocationDto,
    description: 'The new invocation, with its token.',
  })
  @ApiConflictResponse({
    description:
      'It has not ended, is complete without a limit, was cancelled, was not carried out by the agent of this release or an earlier one, or its steps are gone.',
  })
  async continue(
    @Run() record: RunRecord,
    @Caller() caller: CallerIdentity,
    @Body() body: ContinueDto,
    @Headers() headers: Record<string, string | undefined>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvocationDto> {
    const key = readIdempotencyKey(headers['idempotency-key']);
    const forwarded = readForwarded(
      headers,
      this.config.upstream.forwardedHeaders,
    );
    const {
      record: child,
      token,
      replayed,
    } = await this.continuation.begin(record, body.budget, {
      caller,
      requestId: request.id,
      forwarded,
      key,
    });
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    reply.code(202).header('Location', `/api/v1/tool-invocations/${child.id}`);
    return toInvocationDto(child, token);
  }
}
