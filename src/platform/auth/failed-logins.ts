import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { parse } from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors';

/** Failures of one address in a window: more than a person mistypes, and too few to guess. */
const FAILURES = 30;
const WINDOW_SECONDS = 60;
/** Of an IPv6 address, what one subscriber has. */
const SUBSCRIBER_BITS = 64;

/**
 * Slows down wrong keys and passwords, by the address of the connection, in each process. Addresses are counted in
 * 65,536 groups of unpredictable members, so that an attacker with many addresses cannot fill the memory.
 */
@Injectable()
export class FailedLogins {
  private readonly salt = randomBytes(16);
  private readonly limiter = new RateLimiterMemory({
    points: FAILURES,
    duration: WINDOW_SECONDS,
  });

  /** @throws AppError `rate_limited` if the address has failed too often, before a low-entropy secret is compared. */
  async check(address: string): Promise<void> {
    const found = await this.limiter.get(this.groupOf(address));
    if (found !== null && found.consumedPoints >= FAILURES)
      throw limited(found);
  }

  /** Counts a failure. @throws AppError `rate_limited` above the limit. */
  async count(address: string): Promise<void> {
    try {
      await this.limiter.consume(this.groupOf(address));
    } catch (error) {
      if (error instanceof RateLimiterRes) throw limited(error);
      throw error;
    }
  }

  private groupOf(address: string): string {
    return createHash('sha256')
      .update(this.salt)
      .update(networkOf(address))
      .digest('hex')
      .slice(0, 4);
  }
}

/** @returns an IPv4 address, or the network of an IPv6 address. */
export function networkOf(address: string): string {
  let parsed;
  try {
    parsed = parse(address);
  } catch {
    // A socket that is closed already has no address.
    return '';
  }
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray();
  const ipv4Mapped = bytes.slice(0, 10).every((byte) => byte === 0);
  if (ipv4Mapped && bytes[10] === 255 && bytes[11] === 255)
    return bytes.slice(12).join('.');
  return bytes.slice(0, SUBSCRIBER_BITS / 8).join('.') + '/64';
}

function limited({ msBeforeNext }: RateLimiterRes): AppError {
  return new AppError(
    'rate_limited',
    'Too many wrong keys or passwords came from this address.',
    { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)) },
  );
}
