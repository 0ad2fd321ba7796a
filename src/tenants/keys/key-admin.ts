import { Injectable, Logger } from '@nestjs/common';
import { freshKeyId, isKeyId, mintKey } from '../../platform/auth/key-text';
import { AppError } from '../../platform/errors';
import { changedSettings, type SettingsChange } from './settings-change';
import { isValid, type RunEnding, type StoredKey } from './key-record';
import { KeyStore, MAX_KEYS } from './key.store';

/** Texts before the current one that may be valid at the same time; the oldest end first. */
const MAX_PREVIOUS = 4;

export interface NewKey {
  name: string;
  scopes: readonly string[];
  expiresMs: number | null;
  settings?: SettingsChange;
}

/** What is undefined stays as it is. */
export type KeyChange = Partial<Omit<NewKey, 'name'>>;

/** A key with its text, which is returned once and stored nowhere. */
export interface IssuedKey {
  record: StoredKey;
  key: string;
}

/** Makes and changes keys. `by` is the administrator, for the log. */
@Injectable()
export class KeyAdmin {
  private readonly log = new Logger('Keys');

  constructor(private readonly store: KeyStore) {}

  now(): number {
    return this.store.now();
  }

  /** @throws AppError `capacity_exceeded` if there are too many. */
  async create(
    { name, scopes, expiresMs, settings = {} }: NewKey,
    by: string,
  ): Promise<IssuedKey> {
    const id = freshKeyId();
    const { key, hash } = mintKey(id);
    const record: StoredKey = {
      id,
      name,
      scopes: [...new Set(scopes)],
      hash,
      previous: [],
      created_ms: this.now(),
      rotated_ms: null,
      expires_ms: expiresMs,
      revoked_ms: null,
      ending: null,
      ...changedSettings({}, settings),
    };
    if (!(await this.store.create(record)))
      throw new AppError(
        'capacity_exceeded',
        `There are ${MAX_KEYS} API keys already.`,
      );
    this.note('API key created', record, by);
    return { record, key };
  }

  /** Newest first. */
  async list(): Promise<StoredKey[]> {
    const { keys } = await this.store.all();
    return keys.sort(
      (a, b) => b.created_ms - a.created_ms || a.id.localeCompare(b.id),
    );
  }

  /** @throws AppError `api_key_not_found`. */
  async get(id: string): Promise<StoredKey> {
    return found(isKeyId(id) ? await this.store.find(id) : undefined);
  }

  /**
   * Changes what a key may do. An expired key becomes valid by a later expiry.
   * @throws AppError `api_key_not_found`, `api_key_revoked`.
   */
  async update(
    id: string,
    { scopes, expiresMs, settings = {} }: KeyChange,
    by: string,
  ): Promise<StoredKey> {
    await this.get(id);
    const record = found(
      await this.store.change(id, (before) => {
        if (before.revoked_ms !== null) throw new AppError('api_key_revoked');
        return {
          ...before,
          ...(scopes && { scopes: [...new Set(scopes)] }),
          ...(expiresMs !== undefined && { expires_ms: expiresMs }),
          ...changedSettings(before, settings),
        };
      }),
    );
    this.note('API key changed', record, by);
    return record;
  }

  /**
   * Gives a key a new text; the one before stays valid for `overlapMs`.
   * @throws AppError `api_key_not_found`, `api_key_revoked`.
   */
  async rotate(id: string, overlapMs: number, by: string): Promise<IssuedKey> {
    await this.get(id);
    const { key, hash } = mintKey(id);
    const record = found(
      await this.store.change(id, (before) => {
        const now = this.now();
        if (!isValid(before, now)) throw new AppError('api_key_revoked');
        const old = { hash: before.hash, until_ms: now + overlapMs };
        const previous = [...before.previous, old]
          .filter(({ until_ms }) => until_ms > now)
          .slice(-MAX_PREVIOUS);
        return { ...before, hash, previous, rotated_ms: now };
      }),
    );
    this.note('API key rotated', record, by);
    return { record, key };
  }

  /**
   * Ends a key. Safe to repeat; of two requests, the one to cancel the runs wins.
   * @throws AppError `api_key_not_found`.
   */
  async revoke(id: string, runs: RunEnding, by: string): Promise<StoredKey> {
    await this.get(id);
    const record = found(
      await this.store.change(id, (before) => {
        const isStronger = runs === 'cancel' && before.ending?.runs !== runs;
        if (before.revoked_ms !== null && !isStronger) return before;
        return {
          ...before,
          previous: [],
          revoked_ms: this.now(),
          ending: { runs, done: false },
        };
      }),
    );
    this.note('API key revoked', record, by);
    return record;
  }

  private note(msg: string, { id, name }: StoredKey, by: string): void {
    this.log.log({ msg, api_key: id, name, by });
  }
}

function found(key: StoredKey | undefined): StoredKey {
  if (!key) throw new AppError('api_key_not_found');
  return key;
}
