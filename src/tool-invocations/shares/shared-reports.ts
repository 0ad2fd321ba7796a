import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { CallerAccess } from '../../platform/auth/caller-access';
import { FailedLogins } from '../../platform/auth/failed-logins';
import { AppError } from '../../platform/errors';
import { isFinal } from '../../runs/record/run';
import { digitsOf, notFound } from '../../runs/record/run-id';
import type { RunRecord } from '../../runs/record/run-record';
import { RunReader } from '../../runs/store/run-reader';
import { type Share, SharesStore } from './shares.store';

const MAX_SHARES = 10;
/** Of one report, at one process. */
const READS_PER_MINUTE = 120;
/** The digits of the run, and 244 random bits. */
const TOKEN = /^shr_([0-9a-f]{32})[0-9a-f]{64}$/;

/** Links that open the report of a run and nothing else, for anyone who has them. Only their hashes are stored. */
@Injectable()
export class SharedReports {
  private readonly reads = new RateLimiterMemory({
    points: READS_PER_MINUTE,
    duration: 60,
  });

  constructor(
    private readonly store: SharesStore,
    private readonly reader: RunReader,
    private readonly access: CallerAccess,
    private readonly failures: FailedLogins,
  ) {}

  /** @throws AppError `invocation_not_ended`, `report_not_found`, `share_limit_reached`, `invocation_not_found`. */
  async create(
    { id, status, text }: RunRecord,
    lifetimeMs: number,
  ): Promise<{ share: Share; token: string }> {
    if (!isFinal(status)) throw new AppError('invocation_not_ended');
    if (!text?.trim()) throw new AppError('report_not_found');
    const secret = `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
    const token = `shr_${digitsOf(id)}${secret}`;
    const hash = hashOf(token).toString('hex');
    const own = { id: randomUUID(), hash };
    const share = await this.store.add(id, own, lifetimeMs, MAX_SHARES);
    if (share === 'full')
      throw new AppError(
        'share_limit_reached',
        `The report has ${MAX_SHARES} links already: revoke one first.`,
      );
    if (typeof share === 'string') throw notFound(id);
    return { share, token };
  }

  of({ id }: RunRecord): Promise<Share[]> {
    return this.store.of(id);
  }

  /** @throws AppError `share_not_found`. */
  async revoke({ id }: RunRecord, share: string): Promise<void> {
    if ((await this.store.remove(id, share)) === 0)
      throw new AppError('share_not_found');
  }

  async revokeAll({ id }: RunRecord): Promise<void> {
    await this.store.remove(id);
  }

  /**
   * What a token opens. A link ends with the record, and with the keys of its owner.
   * @throws AppError `share_not_found`, `rate_limited`.
   */
  async open(
    token: string | undefined,
    address: string,
  ): Promise<{ record: RunRecord; share: Share }> {
    await this.failures.check(address);
    const found = await this.find(token ?? '');
    if (!found) {
      await this.failures.count(address);
      throw new AppError('share_not_found');
    }
    await this.reads.consume(found.record.id).catch(() => {
      throw new AppError('rate_limited', 'This report is read too often.', {
        retryAfterSeconds: 60,
      });
    });
    return found;
  }

  private async find(token: string) {
    const [, digits] = TOKEN.exec(token) ?? [];
    if (!digits) return undefined;
    const id = `inv_${digits}`;
    const given = hashOf(token);
    const share = (await this.store.of(id)).find(({ hash }) => {
      const expected = Buffer.from(hash, 'hex');
      return (
        expected.length === given.length && timingSafeEqual(expected, given)
      );
    });
    const record = share && (await this.reader.read(id));
    if (!record || this.access.isEnded(record.caller)) return undefined;
    return { record, share };
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
