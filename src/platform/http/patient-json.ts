import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { AppError } from '../errors';

/** Clients and proxies give up on a response that is silent for a minute or more. */
export const PATIENCE = { everyMs: 15_000 };

/** What a response that has begun ends with if its work fails. */
export type FailureDocument = (error: AppError) => object;

const failures = new WeakMap<FastifyReply['raw'], FailureDocument>();
const failedLate = new WeakSet<FastifyReply['raw']>();

/**
 * Waits for the JSON of a reply, however long `work` takes: after a while the response begins with status 200 and white
 * space, which JSON allows before a value and which keeps the connection open. Such a response is always completed, with
 * the value or with `failed(error)`: a client whose connection breaks off would repeat the request.
 * @returns the value, to be sent as any other; undefined if the response that had begun is complete.
 * @throws what `work` throws; `endWithFailure` then completes a response that has begun.
 */
export async function patiently<T extends object>(
  reply: FastifyReply,
  work: Promise<T>,
  failed: FailureDocument,
): Promise<T | undefined> {
  const { raw } = reply;
  const timer = setInterval(() => {
    if (!reply.sent) begin(reply, failed);
    if (!raw.writableNeedDrain) raw.write(' ');
  }, PATIENCE.everyMs);
  try {
    const value = await work;
    if (!reply.sent) return value;
    raw.end(JSON.stringify(value));
    return undefined;
  } finally {
    clearInterval(timer);
  }
}

/** Resolves when a response is over: whether all of it was sent, and it was no failure. */
export async function answered({ raw }: FastifyReply): Promise<boolean> {
  if (!raw.closed) await once(raw, 'close');
  return raw.writableFinished && raw.statusCode < 400 && !failedLate.has(raw);
}

/** Calls `then` once a response is over, if all of it was sent and it was no failure. */
export function onceAnswered(reply: FastifyReply, then?: () => void): void {
  answered(reply)
    .then((wasSent) => wasSent && then?.())
    .catch(() => undefined);
}

/** Completes a response that `patiently` has begun. Does nothing to any other. */
export function endWithFailure({ raw }: FastifyReply, error: AppError): void {
  const failed = failures.get(raw);
  if (!failed) return;
  failedLate.add(raw);
  raw.end(JSON.stringify(failed(error)));
}

function begin(reply: FastifyReply, failed: FailureDocument): void {
  failures.set(reply.raw, failed);
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'application/json; charset=utf-8',
    'x-accel-buffering': 'no',
  });
}
