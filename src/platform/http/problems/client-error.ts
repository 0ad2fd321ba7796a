import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../errors';
import { methodNotAllowed, PROBLEM_TYPE, problemOf } from './problem';
import type { RouteTable } from '../route-table';

const STATUS_AND_DETAIL: Record<string, [status: number, detail: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
};

interface ClientError extends Error {
  code?: string;
  /** The bytes received: a Buffer, although the types of Fastify differ. */
  rawPacket?: unknown;
}

/** Responds to bytes that never became a request: there is no reply object yet, only the socket. */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  routes: RouteTable,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // A connection that was used before may have a partial response; a second one would corrupt it.
  if (socket.writable && socket.bytesWritten === 0)
    socket.write(clientErrorReply(error, routes));
  socket.destroy(error);
}

function clientErrorReply(
  clientError: ClientError,
  routes: RouteTable,
): string {
  const methods = allowedMethods(clientError, routes);
  const [status, detail] = STATUS_AND_DETAIL[clientError.code ?? ''] ?? [
    400,
    'This is not valid HTTP.',
  ];
  const error = methods
    ? methodNotAllowed(methods)
    : new AppError('bad_request', detail);
  const requestId = randomUUID();
  const problem = problemOf(error, requestId, methods ? error.status : status);
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...(methods ? [`Allow: ${methods.join(', ')}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** The allowed methods, if the request is invalid only because its method is unknown to Node. */
function allowedMethods(
  { code, rawPacket }: ClientError,
  routes: RouteTable,
): string[] | undefined {
  if (code !== 'HPE_INVALID_METHOD') return undefined;
  if (!Buffer.isBuffer(rawPacket)) return undefined;
  const line = rawPacket.toString('latin1', 0, 4_096);
  const [, path] = /^[A-Z]{1,32} (\/\S*) HTTP\/1\.[01]\r\n/.exec(line) ?? [];
  const methods = path === undefined ? [] : routes.methodsOf(path);
  return methods.length > 0 ? methods : undefined;
}
