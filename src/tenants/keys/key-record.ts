import { timingSafeEqual } from 'node:crypto';
import type { KeySettings } from '../../platform/auth/stored-keys';

/** What becomes of the unfinished runs of a revoked key. */
export const RUN_ENDINGS = ['finish', 'cancel'] as const;
export type RunEnding = (typeof RUN_ENDINGS)[number];

/** A key as Redis holds it, in JSON. Members that only a newer version knows are kept by every change. */
export interface StoredKey extends KeySettings {
  readonly id: string;
  /** Of the caller: it owns the runs, and several keys may share it. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** SHA-256 of the text of the key, hex. */
  readonly hash: string;
  /** Of the texts that it had before, each until its overlap ends. */
  readonly previous: readonly { hash: string; until_ms: number }[];
  readonly created_ms: number;
  readonly rotated_ms: number | null;
  readonly expires_ms: number | null;
  readonly revoked_ms: number | null;
  /** Of a revoked key; `done`: no run of it is left to end. */
  readonly ending: { readonly runs: RunEnding; readonly done: boolean } | null;
}

export function isValid(
  { revoked_ms, expires_ms }: StoredKey,
  nowMs: number,
): boolean {
  return revoked_ms === null && (expires_ms === null || nowMs < expires_ms);
}

/** Whether a valid key has this hash. Compares all hashes of the key in constant time. */
export function opens(key: StoredKey, given: Buffer, nowMs: number): boolean {
  const hashes = [key.hash];
  for (const { hash, until_ms } of key.previous)
    if (nowMs < until_ms) hashes.push(hash);
  let matches = false;
  for (const hash of hashes) {
    const expected = Buffer.from(hash, 'hex');
    if (expected.length === given.length && timingSafeEqual(expected, given))
      matches = true;
  }
  return matches && isValid(key, nowMs);
}
