import { Agent } from 'undici';
import { lookupPublic, NOT_PUBLIC } from './public-lookup';

/**
 * Opens connections to hosts that callers name: to public addresses only, unless the operator allows others. An address
 * that a URL spells out is never looked up, so every URL, and every redirect, passes `outboundUrlFault` first.
 */
export function outboundAgent({
  allowPrivate,
  connectTimeoutMs,
}: {
  allowPrivate: boolean;
  connectTimeoutMs: number;
}): Agent {
  return new Agent({
    // One connection for each request: none outlives the check of its address.
    pipelining: 0,
    connect: {
      timeout: connectTimeoutMs,
      ...(!allowPrivate && { lookup: lookupPublic }),
    },
  });
}

/** Whether a request failed because its host has no public address. */
export function isNotPublic(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === NOT_PUBLIC;
}
