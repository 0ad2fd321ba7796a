import { LocalPace } from '../../src/sources/search/limits/local-pace';
import { CircuitBreaker } from '../../src/sources/search/limits/circuit-breaker';
import { GuardedProvider } from '../../src/sources/search/guarded-provider';
import { SearchHttp } from '../../src/sources/search/providers/search-http';
import { SearxngSearch } from '../../src/sources/search/providers/searxng-search';
import { SearchCache } from '../../src/sources/search/search-cache';
import { SearchChain } from '../../src/sources/search/search-chain';
import { loadConfig } from '../../src/config/load-config';
import type { ExtractionPool } from '../../src/sources/pages/extraction/extraction-pool';
import {
  extractPage,
  isAllowed,
} from '../../src/sources/pages/extraction/page-extraction';
import { HostSlots } from '../../src/sources/pages/fetch/host-slots';
import { OptionalRedis } from '../../src/platform/redis/optional-redis';
import { PageClient } from '../../src/sources/pages/fetch/page.client';
import { PageFetcher } from '../../src/sources/pages/fetch/page-fetcher';
import { RobotsRules } from '../../src/sources/pages/fetch/robots-rules';
import { PageCache } from '../../src/sources/pages/page-cache';
import { PageLimits } from '../../src/sources/pages/page-limits';
import { PageReader } from '../../src/sources/pages/page-reader';
import type { RedisConnections } from '../../src/platform/redis/redis-connections';
import type {
  Page,
  PagePort,
  SearchPort,
} from '../../src/research/agent/agent-ports';
import { readCorpus } from './corpus';
import { type CorpusServer, startCorpus } from './corpus.server';
import { Vocabulary } from './criteria';

/** The address of the corpus in prompts and figures, which are the same in every run: its port is not. */
export const SITE = 'https://debian-docs.example';

/** Nothing is shared with other processes. */
const NO_REDIS = {
  ready: false,
  commands: { defineCommand: () => undefined },
  clock: { now: () => Date.now() },
} as unknown as RedisConnections;

/** The functions of the threads, in this one: the corpus does no harm. */
const IN_THIS_THREAD = {
  extract: extractPage,
  isAllowed: (task: Parameters<typeof isAllowed>[0]) =>
    Promise.resolve(isAllowed(task)),
} as unknown as ExtractionPool;

/** The corpus over HTTP, searched and read as the agent of a worker does. Runs share its pages, one after another. */
export class Site {
  /** The texts of the pages that were read, by path. */
  readonly texts = new Map<string, string>();
  readonly search: SearchPort;
  readonly pages: PagePort;
  private readonly http = new SearchHttp(loadConfig({}));
  private readonly client: PageClient;
  private readonly reader: PageReader;
  /** Extraction is the same every time. */
  private readonly read = new Map<string, Promise<Page>>();

  private constructor(
    private readonly server: CorpusServer,
    readonly words: Vocabulary,
  ) {
    const { origin } = server;
    const chain = this.chain(origin);
    this.search = {
      has: (scope) => chain.has(scope),
      search: async (query, signal) => {
        const { hits, ...rest } = await chain.search(query, signal);
        return {
          ...rest,
          hits: hits.map((hit) => ({
            ...hit,
            url: hit.url.replace(origin, SITE),
          })),
        };
      },
    };
    const optional = new OptionalRedis(NO_REDIS);
    const limits = new PageLimits();
    const slots = new HostSlots(optional, limits);
    const config = loadConfig({ RELAY_PAGES_ALLOWED_ORIGINS: origin });
    this.client = new PageClient(config, slots, limits);
    this.reader = new PageReader(
      this.client,
      new PageFetcher(
        this.client,
        new RobotsRules(this.client, IN_THIS_THREAD),
      ),
      IN_THIS_THREAD,
      new PageCache(optional),
    );
    this.pages = { read: async (url) => this.page(url) };
  }

  static async start(): Promise<Site> {
    return new Site(await startCorpus(), Vocabulary.of(readCorpus()));
  }

  /** Without it the search does not show that two results are one page. */
  set dedupe(is: boolean) {
    this.server.distinct = !is;
  }

  async close(): Promise<void> {
    await this.http.onApplicationShutdown();
    await this.client.onApplicationShutdown();
    await this.server.close();
  }

  private chain(origin: string): SearchChain {
    const now = (): number => performance.now();
    const settings = { name: 'searxng', id: 'corpus', timeoutMs: 10_000 };
    const provider = new GuardedProvider(
      settings,
      new SearxngSearch(this.http, origin),
      new LocalPace(now),
      new CircuitBreaker(now),
    );
    const cache = new SearchCache(new OptionalRedis(NO_REDIS), 'corpus');
    return new SearchChain({ public: [provider], private: [] }, cache);
  }

  private async page(url: string): Promise<Page> {
    if (!url.startsWith(`${SITE}/`)) return this.fetch(url);
    const path = pathOf(url);
    const known = this.read.get(path) ?? this.fetch(url);
    this.read.set(path, known);
    const page = await known;
    this.texts.set(path, page.text);
    return { ...page, url, fetchedAt: '2026-01-01T00:00:00.000Z' };
  }

  private fetch(url: string): Promise<Page> {
    const { signal } = new AbortController();
    return this.reader.read(url.replace(SITE, this.server.origin), signal);
  }
}

/** Of a page of the corpus, however its address is written. */
export const pathOf = (url: string): string => new URL(url).pathname.slice(1);
