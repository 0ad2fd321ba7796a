import type { FastifyReply } from 'fastify';
import type { AppError } from '../../errors';
import { isOpenAiPath, withOpenAiError } from './openai-error';
import { PROBLEM_TYPE, problemOf } from './problem';

/** Answers with the problem and the headers that belong to it. */
export function sendProblem(
  reply: FastifyReply,
  error: AppError,
  status = error.status,
): void {
  const requestId = reply.request.id;
  reply.code(status);
  reply.header('content-type', PROBLEM_TYPE);
  // Set again: an error before routing comes here without having passed any hook.
  reply.header('x-request-id', requestId);
  reply.header('x-content-type-options', 'nosniff');
  if (status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined)
    reply.header(
      'retry-after',
      Math.max(1, Math.ceil(error.retryAfterSeconds)),
    );
  const { raw } = reply.request;
  if (!raw.complete && status !== 408) {
    // A client that still sends would never read a reply after which the connection is closed. The time-out ends it.
    reply.removeHeader('connection');
    raw.resume();
  }
  const problem = problemOf(error, requestId, status);
  void reply.send(
    JSON.stringify(
      isOpenAiPath(reply.request.url) ? withOpenAiError(problem) : problem,
    ),
  );
}
