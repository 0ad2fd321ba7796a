import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { KEYS } from '../record/run-keys';

const KEPT_MS = 24 * 60 * 60 * 1000;

/** What an `Idempotency-Key` stands for. */
export interface IdempotencyClaim {
  place: string;
  value: string;
  invocationId: string;
  /** The invocation was accepted before: buy nothing again, whatever has become of its record. */
  accepted: boolean;
}

/** Which invocation an `Idempotency-Key` stands for. Keys of different callers never meet. */
@Injectable()
export class IdempotencyStore {
  private readonly redis: RedisClient;

  constructor(connections: RedisConnections) {
    this.redis = connections.commands;
  }

  /**
   * Claims `key` for `id`, or answers the invocation it stands for already. A claim that was never accepted (the
   * process died in between) is carried on under its first id, so that it cannot be carried out twice.
   * @throws AppError `idempotency_mismatch` if it was used with another body.
   */
  async claim(
    caller: string | undefined,
    key: string,
    body: unknown,
    id: string,
  ): Promise<IdempotencyClaim> {
    const place = placeOf(caller, key);
    const fingerprint = sha256(canonical(body));
    const value = `${id} ${fingerprint}`;
    if ((await this.redis.set(place, value, 'PX', KEPT_MS, 'NX')) === 'OK') {
      return { place, value, invocationId: id, accepted: false };
    }
    const found = (await this.redis.get(place)) ?? value;
    return earlierClaim(place, fingerprint, found);
  }

  /**
   * What `key` was claimed for before, if it was.
   * @throws AppError `idempotency_mismatch` if it was used with another body.
   */
  async find(
    caller: string | undefined,
    key: string,
    body: unknown,
  ): Promise<IdempotencyClaim | undefined> {
    const place = placeOf(caller, key);
    const found = await this.redis.get(place);
    return found === null
      ? undefined
      : earlierClaim(place, sha256(canonical(body)), found);
  }

  /** From now on the key stands for what was accepted. */
  async accept({ place, value }: IdempotencyClaim): Promise<void> {
    await this.redis.set(place, `${value} accepted`, 'PX', KEPT_MS, 'XX');
  }
}

function placeOf(caller: string | undefined, key: string): string {
  return KEYS.idempotency(sha256(JSON.stringify([caller ?? null, key])));
}

function earlierClaim(
  place: string,
  fingerprint: string,
  found: string,
): IdempotencyClaim {
  const [invocationId, first, state] = found.split(' ');
  if (first !== fingerprint)
    throw new AppError('idempotency_mismatch', undefined, {
      errors: [
        { path: 'Idempotency-Key', message: 'was used with another body' },
      ],
    });
  return {
    place,
    value: `${invocationId} ${fingerprint}`,
    invocationId,
    accepted: state === 'accepted',
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** JSON with sorted keys: the same body in another order is the same body. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(
          Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : item,
  );
}
