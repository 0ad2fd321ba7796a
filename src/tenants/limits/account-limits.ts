import { Injectable, Optional } from '@nestjs/common';
import { StoredKeys } from '../../platform/auth/stored-keys';
import { AppConfig } from '../../config/config';
import { type LimitName, limitOr } from '../../config/settings/key-limits';
import { AppError } from '../../platform/errors';
import { report } from '../../platform/metrics/facts';

/** The limits of each account: of its key, or else of the service. */
@Injectable()
export class KeyLimits {
  constructor(
    private readonly config: AppConfig,
    @Optional() private readonly stored?: StoredKeys,
  ) {}

  of(account: string, name: LimitName): number {
    const set = this.stored?.settingsOf(account).limits?.[name];
    return limitOr(set, this.config.keyLimits[name]);
  }

  /** For how long a key keeps its records, if not as long as the service does; in milliseconds. */
  retentionMs(account: string): number | undefined {
    const seconds = this.stored?.settingsOf(account).retention_seconds;
    return seconds === undefined ? undefined : limitOr(seconds, 1) * 1_000;
  }
}

/** A refusal that names its limit. */
export function limitHit(
  limit: LimitName,
  most: number,
  retryAfterSeconds: number,
): AppError {
  report('limit_hit', { limit });
  return new AppError(
    'rate_limited',
    `The API key has reached its limit ${limit}, which is ${most}.`,
    { limit, retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) },
  );
}
