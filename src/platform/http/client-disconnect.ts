import type { FastifyReply, FastifyRequest } from 'fastify';

/** Aborts when the client disconnects before its response is complete, so that work done only for it can stop. */
export function clientDisconnect(
  request: FastifyRequest,
  reply: FastifyReply,
): AbortSignal {
  const disconnected = new AbortController();
  const response = reply.raw;
  if (request.raw.destroyed && !request.raw.complete) disconnected.abort();
  else if (response.closed && !response.writableFinished) disconnected.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) disconnected.abort();
    });
  return disconnected.signal;
}
