import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Clients and proxies give up on a response that is silent for a minute or more. */
const EVERY_MS = 15_000;

/**
 * Sends the JSON that `work` results in, however long that takes: after a while the response begins, with white space that
 * keeps the connection open. A failure before is an error response; a later one closes the connection, so that no client
 * takes the response for complete.
 */
export async function sendPatiently(
  reply: FastifyReply,
  work: Promise<object>,
  everyMs = EVERY_MS,
): Promise<void> {
  const { raw } = reply;
  const timer = setInterval(() => {
    if (!reply.sent) begin(reply);
    if (!raw.writableNeedDrain) raw.write(' ');
  }, everyMs);
  try {
    const value = await work;
    if (reply.sent) raw.end(JSON.stringify(value));
    else void reply.send(value);
  } catch (error) {
    if (reply.sent) raw.destroy();
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function begin(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'application/json; charset=utf-8',
    'x-accel-buffering': 'no',
  });
}
