import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors';
import { OptionalRedis } from '../../platform/redis/optional-redis';
import type { Page } from './page.types';

const KEEP_MS = 60 * 60_000;
/** A page that was fetched before its purge is stored no later than that. */
const PURGED_MS = 5 * 60_000;
/** In place of a page; no page is so short. */
const PURGED = 'purged';
const MAX_TEXT_CHARS = 500_000;
const MAX_STORED_BYTES = 256 * 1024;
/** JSON of the longest text, each character escaped, with its headings. */
const MAX_JSON_BYTES = 6 * MAX_TEXT_CHARS + 1024 * 1024;
/** What all workers together store in one hour of the clock; so Redis holds at most twice as much. */
const MAX_HOURLY_BYTES = 64 * 1024 * 1024;
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 5 };

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Keeps public pages for an hour, for every run of every worker. */
@Injectable()
export class PageCache {
  constructor(private readonly redis: OptionalRedis) {}

  async get(url: URL): Promise<Page | undefined> {
    const stored = await this.redis.attempt((redis) =>
      redis.getBuffer(keyOf(url)),
    );
    if (!stored) return undefined;
    try {
      const json = await decompress(stored, {
        maxOutputLength: MAX_JSON_BYTES,
      });
      const page = JSON.parse(json.toString()) as Page;
      return (await this.isPurged(url, page)) ? undefined : page;
    } catch {
      return undefined;
    }
  }

  async set(url: URL, page: Page): Promise<void> {
    if (page.text.length > MAX_TEXT_CHARS) return;
    const stored = await compress(JSON.stringify(page), { params: QUALITY });
    if (stored.length > MAX_STORED_BYTES) return;
    if (await this.isPurged(url, page)) return;
    await this.redis.attempt(async (redis) => {
      const hour = `sonde:page-bytes:${Math.floor(this.redis.now() / KEEP_MS)}`;
      const total = await redis.incrby(hour, stored.length);
      await redis.pexpire(hour, 2 * KEEP_MS);
      if (total > MAX_HOURLY_BYTES) return;
      await redis.set(keyOf(url), stored, 'PX', KEEP_MS, 'NX');
    });
  }

  /** Whether it was there. For some minutes nothing is stored in its place. @throws AppError `queue_unavailable`. */
  async purge(url: URL): Promise<boolean> {
    const before = await this.redis.attempt(async (redis) => [
      await redis.set(keyOf(url), PURGED, 'PX', PURGED_MS, 'GET'),
    ]);
    if (!before) throw new AppError('queue_unavailable');
    return before[0] !== null && before[0] !== PURGED;
  }

  /** Whether an address that redirects leads to a page that was purged. */
  private async isPurged(url: URL, page: Page): Promise<boolean> {
    if (page.url === url.href || !URL.canParse(page.url)) return false;
    const key = keyOf(new URL(page.url));
    const found = await this.redis.attempt((redis) => redis.get(key));
    return found === PURGED;
  }
}

function keyOf({ href }: URL): string {
  const address = href.replace(/#.*$/, '');
  return `sonde:page:${createHash('sha256').update(address).digest('hex')}`;
}
