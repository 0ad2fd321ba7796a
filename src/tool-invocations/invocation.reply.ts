import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientGone } from '../http/client-gone';
import type { Shutdown } from '../http/shutdown';
import { isFinal } from './invocation';
import { type InvocationDto, toInvocationDto } from './invocation.dto';
import type { InvocationRecord } from './invocation.record';

/** 200 with what has ended, 202 with what goes on and where to find it. */
export function sendInvocation(
  reply: FastifyReply,
  record: InvocationRecord,
  token: string | null = null,
): InvocationDto {
  if (isFinal(record.status) && record.mode === 'foreground') reply.code(200);
  else
    reply.code(202).header('Location', `/api/v1/tool-invocations/${record.id}`);
  return toInvocationDto(record, token);
}

/** Aborts when nobody waits for the reply any more, or the process goes away. */
export function whileWanted(
  request: FastifyRequest,
  reply: FastifyReply,
  shutdown: Shutdown,
): AbortSignal {
  return AbortSignal.any([clientGone(request, reply), shutdown.signal]);
}
