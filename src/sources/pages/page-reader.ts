import { Injectable, Logger } from '@nestjs/common';
import { traced } from '../../platform/tracing/tracing';
import { ExtractionPool } from './extraction/extraction-pool';
import { PageClient } from './fetch/page.client';
import { type FetchedPage, PageFetcher } from './fetch/page-fetcher';
import { PageCache } from './page-cache';
import { type Page, type PageFault, PageUnreadable } from './page.types';

/** Reads pages of the web as text. */
@Injectable()
export class PageReader {
  private readonly log = new Logger('Pages');
  private warned = false;

  constructor(
    private readonly client: PageClient,
    private readonly fetcher: PageFetcher,
    private readonly pool: ExtractionPool,
    private readonly cache: PageCache,
  ) {}

  /** @throws PageUnreadable, or the reason of the signal. */
  async read(url: string, signal: AbortSignal): Promise<Page> {
    try {
      return await this.readAllowed(url, signal);
    } catch (error) {
      const { fault } = error as { fault?: PageFault };
      if (fault === 'address_refused') this.warn();
      throw error;
    }
  }

  /** Once, for operators whose pages are their own: a page may name any address. */
  private warn(): void {
    if (this.warned) return;
    this.warned = true;
    this.log.warn(
      'A page whose address is not public was refused: RELAY_PAGES_ALLOWED_ORIGINS opens single origins',
    );
  }

  private async readAllowed(url: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    const address = this.client.check(url);
    const cached = await this.cache.get(address);
    signal.throwIfAborted();
    if (cached) return cached;
    return traced('client', 'read page', {}, () =>
      this.follow(address, signal),
    );
  }

  /** A page that only leads to another counts as a redirect. */
  private async follow(start: URL, signal: AbortSignal): Promise<Page> {
    const journey = this.client.journey();
    for (let address = start; ;) {
      const found = await this.fetcher.fetch(
        address,
        signal,
        async (fetched) => {
          const page = await this.extract(fetched, signal);
          if ('refresh' in page) return { from: fetched.url, ...page };
          if (fetched.isPublic) await this.cache.set(start, page);
          return page;
        },
        journey,
      );
      if (!('refresh' in found)) return found;
      address = this.client.redirected(new URL(found.from), found.refresh);
      journey.hopsLeft -= 1;
    }
  }

  private async extract(
    fetched: FetchedPage,
    signal: AbortSignal,
  ): Promise<Page | { refresh: string }> {
    const { url, fetchedAt, bytes, contentType, contentLanguage } = fetched;
    const extraction = await this.pool.extract(
      { url, bytes, contentType, contentLanguage },
      signal,
    );
    if ('fault' in extraction) throw new PageUnreadable(extraction.fault);
    if ('refresh' in extraction) return extraction;
    return { url, fetchedAt, ...extraction };
  }
}
