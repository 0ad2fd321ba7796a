import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import type { Checkup, Finding } from '../redis/checkup.types';
import { isValid, type StoredKey } from './key.record';
import { KeyStore } from './key.store';

const SOON_MS = 7 * 24 * 60 * 60 * 1000;

/** How many stored keys are valid and for how long, and whether there is any where keys are required. */
@Injectable()
export class KeysCheckup implements Checkup {
  private counted = '';

  constructor(
    private readonly store: KeyStore,
    private readonly config: AppConfig,
  ) {}

  get title(): string {
    return this.counted ? `Keys (stored: ${this.counted})` : 'Keys';
  }

  async *look(): AsyncGenerator<Finding> {
    const { keys } = await this.store.all();
    const nowMs = this.store.now();
    this.counted = countsOf(keys, nowMs);
    const { required, apiKeys } = this.config.auth;
    if (!required || apiKeys.size > 0) return;
    if (!keys.some((key) => isValid(key, nowMs)))
      yield {
        problem:
          'Required, and none is valid: every request is refused (make one with `npm run keys`)',
      };
  }
}

function countsOf(keys: readonly StoredKey[], nowMs: number): string {
  const valid = keys.filter((key) => isValid(key, nowMs));
  const soon = valid.filter((key) => !isValid(key, nowMs + SOON_MS));
  const revoked = keys.filter(({ revoked_ms }) => revoked_ms !== null);
  const expired = keys.length - valid.length - revoked.length;
  return [
    [valid.length, 'valid'],
    [soon.length, 'expiring within 7 days'],
    [expired, 'expired'],
    [revoked.length, 'revoked'],
  ]
    .filter(([count]) => Number(count) > 0)
    .map((part) => part.join(' '))
    .join(', ');
}
