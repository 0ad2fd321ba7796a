import { createHash, randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../platform/errors';

/** Whether an invocation is read as such, or as the chat that it is. */
export type IdPrefix = 'inv_' | 'chat_';

/** What is submitted has this version, derived or not. */
export const SUBMITTED = '7';
const TIME_DIGITS = 12;

/** A counter of 31 bits begins in its lower half, so that there is room above it. */
const FIRST_SEQ = 2 ** 30;
/** So much the clock may be corrected backwards before ids follow it. */
const CORRECTED_MS = 1_000;
let last = { msecs: 0, seq: 0 };

/**
 * Ids begin with the time, which is what listings are ordered by; those of one process sort in the order in which they were
 * made.
 * @param nowMs by the clock of Redis.
 */
export function freshId(prefix: IdPrefix, nowMs: number): string {
  const behind = last.msecs - nowMs;
  last =
    behind < 0 || behind > CORRECTED_MS
      ? { msecs: nowMs, seq: randomInt(FIRST_SEQ) }
      : { msecs: last.msecs, seq: last.seq + 1 };
  return prefix + uuidv7(last).replaceAll('-', '');
}

/** The same for the same `seed`: what asks for it twice, after a crash, finds what it asked for the first time. */
export function derivedId(
  prefix: IdPrefix,
  atMs: number,
  seed: string,
): string {
  const hash = createHash('sha256').update(seed).digest('hex');
  const time = atMs.toString(16).padStart(TIME_DIGITS, '0');
  return prefix + time + SUBMITTED + hash.slice(0, 19);
}

export function prefixOf(id: string): IdPrefix {
  return id.startsWith('chat_' satisfies IdPrefix) ? 'chat_' : 'inv_';
}

/** What follows the prefix. */
export function digitsOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** When it was submitted, in milliseconds. */
export function timeOf(id: string): number {
  const at = versionAt(id);
  return Number.parseInt(id.slice(at - TIME_DIGITS, at), 16);
}

/** The digit of an id with the version of its UUID. */
export function versionOf(id: string): string {
  return id[versionAt(id)];
}

export function withVersion(id: string, version: string): string {
  const at = versionAt(id);
  return id.slice(0, at) + version + id.slice(at + 1);
}

function versionAt(id: string): number {
  return id.indexOf('_') + 1 + TIME_DIGITS;
}

/** The error for an id that is unknown, expired or deleted. */
export function notFound(id: string): AppError {
  const isChat = prefixOf(id) === 'chat_';
  return new AppError(isChat ? 'chat_not_found' : 'invocation_not_found');
}
