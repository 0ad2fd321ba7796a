import { loadConfig } from '../../../src/config/load-config';
import { SearchHttp } from '../../../src/sources/search/providers/search-http';
import type {
  ProviderReply,
  SearchProvider,
  SearchQuery,
} from '../../../src/sources/search/search.types';
import { type Reply, SearchServer } from './search-server';

export const QUERY: SearchQuery = { text: 'comet', scope: 'public', limit: 5 };

/** A provider against a local server that plays its service, and what holds for every one. */
export class ProviderStand {
  server!: SearchServer;
  private http!: SearchHttp;
  private provider!: SearchProvider;

  constructor(
    private readonly create: (http: SearchHttp, url: string) => SearchProvider,
    /** A reply that finds nothing. */
    private readonly nothing: unknown,
  ) {
    beforeAll(async () => {
      this.server = await SearchServer.start();
      this.http = new SearchHttp(loadConfig({}));
      this.provider = create(this.http, this.server.url);
    });
    beforeEach(() => this.server.answer({ body: nothing }));
    afterAll(async () => {
      await this.http.onApplicationShutdown();
      await this.server.stop();
    });
  }

  search(
    query: Partial<SearchQuery> = {},
    signal = new AbortController().signal,
  ): Promise<ProviderReply> {
    return this.provider.search({ ...QUERY, ...query }, signal);
  }

  /** The error for a reply. */
  async faultOf(reply: Reply): Promise<unknown> {
    this.server.answer(reply);
    return this.search().catch((error: unknown) => error);
  }

  at(url: string): Promise<ProviderReply> {
    const never = new AbortController().signal;
    return this.create(this.http, url).search(QUERY, never);
  }

  /** Declares the tests that hold for every provider. */
  declare(): void {
    it('finds nothing where there is nothing', async () => {
      expect((await this.search()).hits).toEqual([]);
    });

    it('adds its path to that of a gateway', async () => {
      const direct = this.server.url;
      await this.at(direct);
      await this.at(`${direct}/gateway/`);
      const [own, gateway] = this.server.requests;
      expect(gateway.url.pathname).toBe(`/gateway${own.url.pathname}`);
    });

    it.each([
      [{ status: 500, body: 'Internal Server Error' }, 'unreachable'],
      [{ status: 503, headers: { 'retry-after': '7' } }, 'unreachable'],
      [{ status: 400, body: 'Bad Request' }, 'refused_query'],
      [{ status: 404, body: '<html>' }, 'bad_reply'],
      [{ status: 401 }, 'unauthorized'],
      [{ status: 402 }, 'quota_exceeded'],
      [{ body: '<html>a login page</html>' }, 'bad_reply'],
      [{ body: '' }, 'bad_reply'],
      [{ body: null }, 'bad_reply'],
      [{ body: [] }, 'bad_reply'],
      [{ body: { results: {}, web: { results: 3 } } }, 'bad_reply'],
    ])('reports %j as %s', async (reply, fault) => {
      expect(await this.faultOf(reply)).toMatchObject({ fault });
    });

    it('reports a rate limit with the pause that it asks for', async () => {
      const reply = {
        status: 429,
        headers: { 'retry-after': '120' },
        body: 'Too Many Requests',
      };
      expect(await this.faultOf(reply)).toMatchObject({
        fault: 'rate_limited',
        options: { retryAfterMs: 120_000 },
      });
    });

    it('follows no redirect', async () => {
      const other = await SearchServer.start();
      other.answer({ body: this.nothing });
      const headers = { location: `${other.url}/search` };
      for (const status of [301, 302, 307, 308]) {
        const fault = await this.faultOf({ status, headers });
        expect(fault).toMatchObject({ fault: 'bad_reply' });
      }
      expect(other.requests).toEqual([]);
      await other.stop();
    });

    it('reads no more than 2 MB', async () => {
      const body = { ...(this.nothing as object), more: 'x'.repeat(2_100_000) };
      expect(await this.faultOf({ body })).toMatchObject({
        fault: 'bad_reply',
        detail: 'its reply is over 2 MB',
      });
    });

    it('cannot reach a server that is not there', async () => {
      await expect(this.at('http://127.0.0.1:9')).rejects.toMatchObject({
        fault: 'unreachable',
      });
    });

    it.each(['never', 'endless'] as const)(
      'ends with its signal where the reply is %s complete',
      async (reply) => {
        this.server.answer(reply);
        const limit = new AbortController();
        const search = this.search({}, limit.signal).catch(() => 'ended');
        while (this.server.requests.length === 0)
          await new Promise((resolve) => setImmediate(resolve));
        limit.abort();
        expect(await search).toBe('ended');
      },
    );
  }
}
