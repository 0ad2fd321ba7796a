import type { FastifyReply } from 'fastify';
import { AppError, type FieldError } from '../../errors';
import { isOpenAiPath, withOpenAiError } from './openai-error';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The one form of every error reply (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  errors: FieldError[];
  request_id: string;
}

/** `status` differs from the error's own only where HTTP is finer than our codes, e.g. 431. */
export function problemOf(
  error: AppError,
  requestId: string,
  status = error.status,
): Problem {
  return {
    type: `urn:sonde:error:${error.code}`,
    title: error.title,
    status,
    detail: error.message,
    code: error.code,
    errors: error.errors ?? [],
    request_id: requestId,
  };
}

export function methodNotAllowed(methods: readonly string[]): AppError {
  return new AppError(
    'method_not_allowed',
    `This path takes ${methods.join(', ')}.`,
  );
}

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
