import type { FastifyReply } from 'fastify';
import type { AppError } from '../../errors';
import { report } from '../../metrics/facts';
import { isOpenAiPath, withOpenAiError } from './openai-error';
import { PROBLEM_TYPE, problemOf } from './problem';

/** Sends the problem with its headers. */
export function sendProblem(
  reply: FastifyReply,
  error: AppError,
  status = error.status,
): void {
  const requestId = reply.request.id;
  report('request_refused', { code: error.code });
  reply.code(status);
  reply.header('content-type', PROBLEM_TYPE);
  // Set again: an error before routing has passed no hook.
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
    // Closing the connection under a client that still sends would lose the response; the timeout ends it instead.
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
