import { Injectable } from '@nestjs/common';
import { isReadableType } from '../extraction/media-type';
import { type PageFault, PageUnreadable } from '../page.types';
import { readBody } from './body';
import { type Journey, PageClient, type PageReply } from './page.client';
import { RobotsRules } from './robots-rules';
import { Semaphore } from '../../../platform/semaphore';

const MAX_BYTES = 10 * 1024 * 1024;
/** Bodies in memory at a time, until their text is extracted: 320 MB at worst. */
const MAX_BODIES = 32;

export interface FetchedPage {
  readonly url: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly contentLanguage: string;
  readonly fetchedAt: string;
  /** Whether others may be given this copy. */
  readonly isPublic: boolean;
}

/** Fetches pages, as far as robots.txt allows, with limits on their number, size and time. */
@Injectable()
export class PageFetcher {
  private readonly bodies = new Semaphore(MAX_BODIES);

  constructor(
    private readonly client: PageClient,
    private readonly robots: RobotsRules,
  ) {}

  /**
   * `use` is called with the page; until it is done, the page counts against the limit of bodies.
   * @throws PageUnreadable, or the reason of the signal.
   */
  async fetch<T>(
    start: URL,
    signal: AbortSignal,
    use: (page: FetchedPage) => Promise<T>,
    journey?: Journey,
  ): Promise<T> {
    const { page, release } = await this.client.get(
      start,
      signal,
      (reply) => this.read(reply, signal),
      (url) => this.robots.check(url, signal),
      journey,
    );
    try {
      return await use(page);
    } finally {
      release();
    }
  }

  private async read(
    { url, reply, budget, isPublic }: PageReply,
    signal: AbortSignal,
  ): Promise<{ page: FetchedPage; release: () => void }> {
    const { statusCode: status, headers, body } = reply;
    const wall = wallOf(status, headers);
    if (wall) throw new PageUnreadable(wall, { status });
    if (status < 200 || status > 299)
      throw new PageUnreadable('http_error', { status });
    const contentType = only(headers['content-type']);
    if (!isReadableType(contentType))
      throw new PageUnreadable('unsupported_type');
    if (Number(only(headers['content-length'])) > MAX_BYTES)
      throw new PageUnreadable('too_large');
    const encoding = headers['content-encoding'];
    const release = await this.bodies.acquire(signal);
    try {
      const bytes = await budget.spend(signal, (limit) =>
        readBody(body, encoding, MAX_BYTES, 'refuse', limit),
      );
      const page = {
        url: url.href,
        bytes,
        contentType,
        contentLanguage: only(headers['content-language']),
        fetchedAt: new Date().toISOString(),
        isPublic: isPublic && !isConfidential(only(headers['cache-control'])),
      };
      return { page, release };
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** What gatekeepers announce by themselves. */
function wallOf(
  status: number,
  headers: PageReply['reply']['headers'],
): PageFault | undefined {
  if (only(headers['cf-mitigated']) === 'challenge') return 'challenge';
  const action = only(headers['x-amzn-waf-action']);
  if (action === 'challenge' || action === 'captcha') return action;
  return status === 402 ? 'paywall' : undefined;
}

function only(header: string | string[] | undefined): string {
  return [header ?? ''].flat().join(', ');
}

function isConfidential(cacheControl: string): boolean {
  return /\b(no-store|private)\b/i.test(cacheControl);
}
