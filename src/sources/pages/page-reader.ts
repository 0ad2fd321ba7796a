import { Injectable } from '@nestjs/common';
import { traced } from '../../platform/tracing/tracing';
import { ExtractionPool } from './extraction/extraction-pool';
import { PageClient } from './fetch/page.client';
import { type FetchedPage, PageFetcher } from './fetch/page-fetcher';
import { PageCache } from './page-cache';
import { type Page, PageUnreadable } from './page.types';

/** Reads pages of the web as text. */
@Injectable()
export class PageReader {
  constructor(
    private readonly client: PageClient,
    private readonly fetcher: PageFetcher,
    private readonly pool: ExtractionPool,
    private readonly cache: PageCache,
  ) {}

  /** @throws PageUnreadable, or the reason of the signal. */
  async read(url: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    const address = this.client.check(url);
    const cached = await this.cache.get(address);
    signal.throwIfAborted();
    if (cached) return cached;
    return traced('client', 'read page', {}, () =>
      this.fetcher.fetch(address, signal, async (fetched) => {
        const page = await this.extract(fetched, signal);
        if (fetched.isPublic) await this.cache.set(address, page);
        return page;
      }),
    );
  }

  private async extract(
    fetched: FetchedPage,
    signal: AbortSignal,
  ): Promise<Page> {
    const { url, fetchedAt, bytes, contentType, contentLanguage } = fetched;
    const extraction = await this.pool.extract(
      { url, bytes, contentType, contentLanguage },
      signal,
    );
    if ('fault' in extraction) throw new PageUnreadable(extraction.fault);
    return { url, fetchedAt, ...extraction };
  }
}
