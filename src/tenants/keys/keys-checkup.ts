import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import type { Checkup, Finding } from '../../platform/redis/checkup.types';
import { AccountStore } from '../spend/account.store';
import { limitsIn, spentPeriod } from '../spend/budgets';
import { isValid, type StoredKey } from './key-record';
import { KeyStore } from './key.store';

/** How many keys a line names. */
const NAMED = 20;
const SOON_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * How many stored keys are valid and for how long, which of them have spent their budget, and whether there is any where
 * keys are required.
 */
@Injectable()
export class KeysCheckup implements Checkup {
  private counted = '';

  constructor(
    private readonly store: KeyStore,
    private readonly accounts: AccountStore,
    private readonly config: AppConfig,
  ) {}

  get title(): string {
    return this.counted ? `Keys (stored: ${this.counted})` : 'Keys';
  }

  async *look(): AsyncGenerator<Finding> {
    const { keys } = await this.store.all();
    const nowMs = this.store.now();
    const valid = keys.filter((key) => isValid(key, nowMs));
    this.counted = countsOf(keys, nowMs) + (await this.spentOf(valid));
    const { required, apiKeys } = this.config.auth;
    if (!required || apiKeys.size > 0) return;
    if (valid.length === 0)
      yield {
        problem:
          'Required, and none is valid: every request is refused (make one with `npm run keys`)',
      };
  }

  private async spentOf(keys: readonly StoredKey[]): Promise<string> {
    const spent: string[] = [];
    for (const key of keys) {
      const limits = limitsIn(key);
      const period =
        limits && spentPeriod(limits, await this.accounts.standing(key.id));
      if (period) spent.push(`${key.name} (${period})`);
    }
    const more = spent.length - NAMED;
    const rest = more > 0 ? ` and ${more} more` : '';
    return spent.length > 0
      ? `; budget spent: ${spent.toSorted().slice(0, NAMED).join(', ')}${rest}`
      : '';
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
