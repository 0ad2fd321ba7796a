import type { FastifyReply } from 'fastify';
import type { AppError } from '../../errors';
import { report } from '../../metrics/facts';
import {
  isFinalRefusal,
  isOpenAiPath,
  MAX_RETRY_AFTER_SECONDS,
  openAiErrorOf,
} from '../openai/openai-error';
import { PROBLEM_TYPE, problemOf } from './problem';

/** Sends the problem with its headers; below `/v1` in the form of OpenAI. */
export function sendProblem(
  reply: FastifyReply,
  error: AppError,
  given = error.status,
): void {
  const requestId = reply.request.id;
  const openAi = isOpenAiPath(reply.request.url)
    ? openAiErrorOf(error, given)
    : undefined;
  const status = openAi?.status ?? given;
  report('request_refused', { code: error.code });
  reply.code(status);
  reply.header(
    'content-type',
    openAi ? 'application/json; charset=utf-8' : PROBLEM_TYPE,
  );
  // Set again: an error before routing has passed no hook.
  reply.header('x-request-id', requestId);
  reply.header('x-content-type-options', 'nosniff');
  if (status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) {
    const most = openAi ? MAX_RETRY_AFTER_SECONDS : Infinity;
    const seconds = Math.min(most, Math.ceil(error.retryAfterSeconds));
    reply.header('retry-after', Math.max(1, seconds));
  }
  if (openAi && isFinalRefusal(error)) reply.header('x-should-retry', 'false');
  const { raw } = reply.request;
  if (!raw.complete && status !== 408) {
    // Closing the connection under a client that still sends would lose the response; the timeout ends it instead.
    reply.removeHeader('connection');
    raw.resume();
  }
  const body = openAi?.body ?? problemOf(error, requestId, status);
  void reply.send(JSON.stringify(body));
}
