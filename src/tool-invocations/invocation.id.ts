import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors';

/** Whether an invocation is read as such, or as the chat that it is. */
export type IdPrefix = 'inv_' | 'chat_';

/** Ids begin with the time, which is what listings are ordered by. */
export function freshId(prefix: IdPrefix): string {
  return prefix + uuidv7().replaceAll('-', '');
}

/** The same for the same `seed`: what asks for it twice, after a crash, finds what it asked for the first time. */
export function derivedId(
  prefix: IdPrefix,
  atMs: number,
  seed: string,
): string {
  const hash = createHash('sha256').update(seed).digest('hex');
  return `${prefix}${atMs.toString(16).padStart(12, '0')}7${hash.slice(0, 19)}`;
}

/** When it was submitted, in milliseconds. */
export function timeOf(id: string): number {
  const from = id.indexOf('_') + 1;
  return Number.parseInt(id.slice(from, from + 12), 16);
}

/** What is said of one that is unknown, expired or removed. */
export function notFound(id: string): AppError {
  const isChat = id.startsWith('chat_' satisfies IdPrefix);
  return new AppError(isChat ? 'chat_not_found' : 'invocation_not_found');
}
