import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Logger,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../errors';
import { endWithFailure } from '../patient-json';
import { methodNotAllowed } from './problem';
import { sendProblem } from './send-problem';
import type { RouteTable } from '../route-table';
import { type Recogniser, toAppError } from './to-app-error';

/** Sends every error, also those that Fastify raises before a handler, as a problem document. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger('http');

  constructor(
    private readonly recognisers: readonly Recogniser[] = [],
    private readonly routes?: RouteTable,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const { error, status } = toAppError(thrown, this.recognisers);
    if (error.code === 'internal_error')
      this.log.error({ request_id: request.id, err: error.cause ?? error });
    else if (error.cause !== undefined)
      this.log.debug({ request_id: request.id, err: error.cause });
    // A response whose headers are sent cannot become a problem any more.
    if (reply.sent || reply.raw.headersSent)
      return endWithFailure(reply, error);
    if (request.is404 && error.code === 'not_found') {
      return this.sendUnknownRoute(request, reply, error);
    }
    sendProblem(reply, error, status);
  }

  private sendUnknownRoute(
    request: FastifyRequest,
    reply: FastifyReply,
    error: AppError,
  ): void {
    const methods = this.routes?.methodsOf(request.url) ?? [];
    if (methods.length === 0) return sendProblem(reply, error);
    reply.header('allow', methods.join(', '));
    sendProblem(reply, methodNotAllowed(methods));
  }
}
