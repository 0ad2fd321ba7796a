import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors';
import { PROBLEM_TYPE, problemOf } from './problem';

const FAULTS: Record<string, [status: number, detail: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
};

/** Answers bytes that never became a request: there is no reply object yet, only the socket. */
export function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // On a connection that has answered before, a reply may be half out; a second one would corrupt it.
  if (socket.writable && socket.bytesWritten === 0)
    socket.write(clientErrorReply(error.code));
  socket.destroy(error);
}

function clientErrorReply(code = ''): string {
  const [status, detail] = FAULTS[code] ?? [400, 'This is not valid HTTP.'];
  const requestId = randomUUID();
  const problem = problemOf(
    new AppError('bad_request', detail),
    requestId,
    status,
  );
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
