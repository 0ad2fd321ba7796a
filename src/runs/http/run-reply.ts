import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode, ERRORS } from '../../platform/errors';
import { clientDisconnect } from '../../platform/http/client-disconnect';
import {
  type Problem,
  PROBLEM_TYPE,
  problemOf,
} from '../../platform/http/problems/problem';
import { answered } from '../../platform/http/patient-json';
import { isRetry } from '../../platform/http/headers/retry-headers';
import type { Shutdown } from '../../platform/http/shutdown';
import { isFinal } from '../record/run';
import type { WaitingClient } from '../repeats/adopted-runs';
import { type InvocationDto, toInvocationDto } from './run.dto';
import type { RunRecord } from '../record/run-record';

/** A record, or the problem that it ended with; an extension member of RFC 9457 holds the record then. */
export type RunReply =
  InvocationDto | (Problem & { invocation: InvocationDto });

/**
 * 200 for a run that has ended, 202 for one that has not, with its address; the record alone once the response has begun.
 * @param strict a run that failed or was cancelled is an HTTP error (`Prefer: handling=strict`).
 */
export function sendInvocation(
  reply: FastifyReply,
  record: RunRecord,
  token: string | null = null,
  strict = false,
): RunReply {
  const invocation = toInvocationDto(record, token);
  if (reply.sent) return invocation;
  const location = `/api/v1/tool-invocations/${record.id}`;
  if (!isFinal(record.status) || record.mode !== 'foreground') {
    reply.code(202).header('Location', location);
    return invocation;
  }
  const { error } = invocation;
  if (!strict || !error || record.status === 'incomplete') {
    reply.code(200);
    return invocation;
  }
  const code = isKnown(error.code) ? error.code : 'tool_failed';
  const cause = new AppError(code, invocation.error_message ?? undefined);
  reply
    .code(cause.status)
    .header('Content-Type', PROBLEM_TYPE)
    .header('Preference-Applied', 'handling=strict')
    .header('Location', location);
  return { ...problemOf(cause, reply.request.id), invocation };
}

/** The record as it was last known, with the error that ended the wait for it. */
export function failedWait(
  invocation: InvocationDto,
  { code, message, retryable }: AppError,
): InvocationDto {
  // A run is deleted by its owner, and a running one is cancelled by that.
  if (code === 'invocation_not_found') invocation.status = 'cancelled';
  invocation.error = { code, retryable };
  invocation.error_message = message;
  return invocation;
}

/** Whoever waits for this reply. */
export function waitingClient(reply: FastifyReply): WaitingClient {
  const { headers } = reply.request;
  return { isRetry: isRetry(headers), answered: () => answered(reply) };
}

/** Aborts when the client disconnects or the process shuts down. */
export function whileWanted(
  request: FastifyRequest,
  reply: FastifyReply,
  shutdown: Shutdown,
): AbortSignal {
  return AbortSignal.any([clientDisconnect(request, reply), shutdown.signal]);
}

/** A newer worker may have ended the run with a code that this process does not know. */
function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
