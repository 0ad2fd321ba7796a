import type { FastifyReply, FastifyRequest } from 'fastify';

/** Aborts when the client hangs up before its reply is out, so that work only done for it can stop. */
export function clientDisconnect(
  request: FastifyRequest,
  reply: FastifyReply,
): AbortSignal {
  const gone = new AbortController();
  const response = reply.raw;
  if (request.raw.destroyed && !request.raw.complete) gone.abort();
  else if (response.closed && !response.writableFinished) gone.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
  return gone.signal;
}
