import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { TestRedis } from '../../../test/support/redis/redis';
import { SearchServer } from '../../../test/support/search/search-server';
import { loadConfig } from '../../config/load-config';
import type { SearchProviderConfig } from '../../config/files/search-provider';
import { DocumentFolder } from '../../tools/documents/document-folder';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { ToolRegistry } from '../../tools/tool-registry';
import { SearchHttp } from './providers/search-http';
import { SearchChain } from './search-chain';
import { searchChain } from './search.module';
import type { SearchQuery } from './search.types';

const SECRET = 'tvly-secret-of-the-test';
const never = new AbortController().signal;
const MINUTE = 60_000;

describe(SearchChain.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let folder: string;
  let first: SearchServer;
  let second: SearchServer;
  let inside: SearchServer;
  const http = new SearchHttp(loadConfig({}));
  let now = 0;
  let queries = 0;
  let warn: jest.SpyInstance;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const target = loadConfig({ REDIS_URL: redis.url }).redis!;
    connections = new RedisConnections(target, 'wait');
    await connections.onModuleInit();
    folder = mkdtempSync(join(tmpdir(), 'sonde-chain-'));
    writeFileSync(join(folder, 'plan.md'), '# Plan\n\nThe launch is in May.');
    [first, second, inside] = await Promise.all(
      Array.from({ length: 3 }, () => SearchServer.start()),
    );
  });

  beforeEach(async () => {
    await redis.call('FLUSHALL');
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    for (const level of ['log', 'debug'] as const)
      jest.spyOn(Logger.prototype, level).mockReturnValue();
    first.answer({ body: results('https://example.org/first') });
    second.answer({ body: results('https://example.org/second') });
    inside.answer({ body: results('https://wiki.example/inside') });
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await http.onApplicationShutdown();
    await Promise.all([first, second, inside].map((server) => server.stop()));
    connections.onApplicationShutdown();
    await redis.stop();
  });

  const results = (...urls: string[]) => ({
    results: urls.map((url) => ({ url, title: url, content: 'text' })),
    unresponsive_engines: [],
  });

  const web = (more: object = {}): SearchProviderConfig => ({
    kind: 'searxng',
    name: 'web',
    scope: 'public',
    timeoutMs: 10_000,
    url: first.url,
    ...more,
  });
  const paid = (more: object = {}): SearchProviderConfig => ({
    kind: 'tavily',
    name: 'paid',
    scope: 'public',
    timeoutMs: 10_000,
    url: second.url,
    key: SECRET,
    ...more,
  });
  const wiki = (): SearchProviderConfig =>
    web({ name: 'wiki', scope: 'private', url: inside.url });
  const documents: SearchProviderConfig = {
    kind: 'documents',
    name: 'documents',
    scope: 'private',
    timeoutMs: 10_000,
  };

  function chain(...providers: SearchProviderConfig[]): SearchChain {
    const parts = {
      http,
      tools: new ToolRegistry(loadConfig({})),
      documents: new DocumentFolder(folder),
    };
    return searchChain(
      { search: { providers } },
      connections,
      parts,
      () => now,
    );
  }

  /** A query that no other search has had. */
  const fresh = (more: Partial<SearchQuery> = {}): SearchQuery => ({
    text: `query ${(queries += 1)}`,
    scope: 'public',
    limit: 10,
    ...more,
  });

  const tried = (search: Promise<unknown>) =>
    search.then(
      () => 'answered',
      (error: { tried: unknown }) => error.tried,
    );

  describe('asks', () => {
    it('the first provider alone where it has hits', async () => {
      expect(await chain(web(), paid()).search(fresh(), never)).toEqual({
        provider: 'web',
        hits: [
          {
            url: 'https://example.org/first',
            title: 'https://example.org/first',
            snippet: 'text',
            provider: 'web',
          },
        ],
        tried: [],
      });
      expect(second.requests).toEqual([]);
    });

    it('the next one where one fails, and lists the failure', async () => {
      first.answer({ status: 503 });
      const outcome = await chain(web(), paid()).search(fresh(), never);
      expect(outcome).toMatchObject({
        provider: 'paid',
        tried: [{ provider: 'web', fault: 'unreachable' }],
      });
    });

    it('the next one where engines are blocked', async () => {
      first.answer({
        body: { results: [], unresponsive_engines: [['a', 'CAPTCHA']] },
      });
      expect(await chain(web(), paid()).search(fresh(), never)).toMatchObject({
        provider: 'paid',
        tried: [{ provider: 'web', fault: 'blocked' }],
      });
    });

    it('the next one where one finds nothing, and returns that nothing if no other finds more', async () => {
      first.answer({ body: results() });
      const both = chain(web(), paid());
      expect(await both.search(fresh(), never)).toMatchObject({
        provider: 'paid',
        tried: [],
      });
      second.answer({ status: 500 });
      expect(await both.search(fresh(), never)).toEqual({
        provider: 'web',
        hits: [],
        tried: [{ provider: 'paid', fault: 'unreachable' }],
      });
    });

    it('all of them, and fails with what each reported', async () => {
      first.answer({ body: '<html>' });
      second.answer({ status: 422, body: { detail: [] } });
      const failing = chain(web(), paid()).search(fresh(), never);
      await expect(failing).rejects.toMatchObject({
        tried: [
          { provider: 'web', fault: 'bad_reply' },
          { provider: 'paid', fault: 'refused_query' },
        ],
        message:
          'No search provider answered (web bad_reply, paid refused_query).',
      });
    });

    it('the next one where one takes longer than its time limit', async () => {
      first.answer('endless');
      const slow = chain(web({ timeoutMs: 200 }), paid());
      expect(await slow.search(fresh(), never)).toMatchObject({
        provider: 'paid',
        tried: [{ provider: 'web', fault: 'timeout' }],
      });
    });

    it('nobody else once its caller has left', async () => {
      first.answer('never');
      const caller = new AbortController();
      const leaving = chain(web(), paid()).search(fresh(), caller.signal);
      while (first.requests.length === 0)
        await new Promise((resolve) => setImmediate(resolve));
      const reason = new Error('the run is over');
      caller.abort(reason);
      await expect(leaving).rejects.toBe(reason);
      expect(second.requests).toEqual([]);
    });

    it('with a query of one bounded line, and never with an empty one', async () => {
      const text = ` two\nwords\u0000 ${'x '.repeat(999)}`;
      await chain(web()).search(fresh({ text }), never);
      const asked = first.only.url.searchParams.get('q')!;
      expect(asked).toMatch(/^two words x/);
      expect(asked.length).toBeLessThanOrEqual(400);
      expect(asked.split(' ').length).toBeLessThanOrEqual(50);
      const empty = chain(web()).search(fresh({ text: ' \n' }), never);
      expect(await tried(empty)).toEqual([
        { provider: 'web', fault: 'refused_query' },
      ]);
    });
  });

  describe('without a parameter', () => {
    /** As the first provider was sent them, in order. */
    const sent = () =>
      first.requests.map(({ url }) =>
        ['language', 'time_range']
          .map((name) => url.searchParams.get(name))
          .join(),
      );
    const refusing = (name: string, value: string) => {
      first.requests.length = 0;
      first.reply = ({ url }) =>
        url.searchParams.get(name) === value
          ? { status: 400, body: { error: 'Invalid value' } }
          : { body: results('https://example.org/first') };
    };

    it.each<[string, string, string[]]>([
      ['language', 'sw', ['sw,week', ',week', ',week']],
      // Which of them is refused is found out at the second search.
      ['time_range', 'week', ['sw,week', ',week', ',', 'sw,']],
    ])(
      'that it refuses (%s), which it is not sent again',
      async (name, value, expected) => {
        refusing(name, value);
        const own = chain(web());
        const query = { language: 'sw', recency: 'week' } as const;
        for (let n = 0; n < 2; n += 1) {
          const search = own.search(fresh(query), never);
          expect(await tried(search)).toBe('answered');
        }
        expect(sent()).toEqual(expected);
        await own.search(fresh({ language: 'de', recency: 'day' }), never);
        expect(sent().at(-1)).toBe('de,day');
      },
    );

    it('fails with a query that is refused for itself, after one request more for each', async () => {
      first.answer({ status: 400, body: { error: 'No query' } });
      const own = chain(web());
      const query = { language: 'sw', recency: 'week' } as const;
      expect(await tried(own.search(fresh(query), never))).toEqual([
        { provider: 'web', fault: 'refused_query' },
      ]);
      expect(sent()).toEqual(['sw,week', ',week', ',']);
      await tried(own.search(fresh(query), never));
      expect(sent().at(3)).toBe('sw,week');
    });

    it.each(['English', 'BCP 47', 'en_US', 'zh-Hans', 'es-419', ''])(
      'where the language is no `xx` or `xx-YY`: %j',
      async (language) => {
        await chain(web()).search(fresh({ language }), never);
        expect(sent()).toEqual([',']);
        first.requests.length = 0;
      },
    );
  });

  describe('of one scope', () => {
    it('never reaches a provider of the other, whatever fails', async () => {
      const both = chain(web(), wiki());
      first.answer({ status: 500 });
      inside.answer({ status: 500 });
      await tried(both.search(fresh({ scope: 'public' }), never));
      expect([first.requests.length, inside.requests.length]).toEqual([1, 0]);
      await tried(both.search(fresh({ scope: 'private' }), never));
      expect([first.requests.length, inside.requests.length]).toEqual([1, 1]);
    });

    it('is there only with a provider of it', async () => {
      const open = chain(web());
      expect([open.has('public'), open.has('private')]).toEqual([true, false]);
      const closed = chain(documents);
      expect([closed.has('public'), closed.has('private')]).toEqual([
        false,
        true,
      ]);
      expect(
        await tried(open.search(fresh({ scope: 'private' }), never)),
      ).toEqual([]);
      expect(first.requests).toEqual([]);
    });

    it('has the documents with their texts', async () => {
      const query = fresh({ text: 'launch', scope: 'private' });
      const { hits } = await chain(documents).search(query, never);
      expect(hits).toEqual([
        {
          url: 'document:plan.md',
          title: 'Plan',
          snippet: '# Plan The launch is in May.',
          content: '# Plan\n\nThe launch is in May.',
          provider: 'documents',
        },
      ]);
    });
  });

  describe('remembers', () => {
    it('the outcome of a public query for every worker, without its text', async () => {
      const query = fresh({ text: 'a confidential question' });
      const outcome = await chain(web()).search(query, never);
      expect(await chain(web()).search(query, never)).toEqual(outcome);
      expect(first.requests).toHaveLength(1);
      const stored = await redis.dump('sonde:search:cache:*');
      expect(stored).not.toContain('confidential');
      expect(stored).toContain('example.org/first');
    });

    it('no private query', async () => {
      const query = fresh({ scope: 'private' });
      await chain(wiki()).search(query, never);
      await chain(wiki()).search(query, never);
      expect(inside.requests).toHaveLength(2);
      expect(await redis.dump('sonde:search:cache:*')).toBe('[]');
    });

    it('another outcome for every other wish, and for other providers', async () => {
      const query = fresh();
      await chain(web()).search(query, never);
      await chain(web()).search({ ...query, language: 'ko' }, never);
      await chain(web()).search({ ...query, recency: 'day' }, never);
      await chain(web()).search({ ...query, limit: 3 }, never);
      await chain(web(), paid()).search(query, never);
      expect(first.requests).toHaveLength(5);
    });

    it('neither failures nor empty answers', async () => {
      const query = fresh();
      first.answer({ status: 500 });
      await tried(chain(web()).search(query, never));
      first.answer({ body: results() });
      await chain(web()).search(query, never);
      await chain(web()).search(query, never);
      expect(first.requests).toHaveLength(2);
    });

    it('no outcome over 64 KiB, and each for an hour', async () => {
      const long = Array.from({ length: 50 }, (_, i) => ({
        url: `https://example.org/${i}?${'x'.repeat(1_500)}`,
        content: 'x'.repeat(2_000),
      }));
      first.answer({ body: { results: long } });
      await chain(web()).search(fresh({ limit: 50 }), never);
      expect(await redis.dump('sonde:search:cache:*')).toBe('[]');
      first.answer({ body: results('https://example.org/') });
      await chain(web()).search(fresh(), never);
      const [key] = (await redis.call(
        'KEYS',
        'sonde:search:cache:*',
      )) as string[];
      const ttl = Number(await redis.call('PTTL', key));
      expect(ttl).toBeGreaterThan(59 * MINUTE);
      expect(ttl).toBeLessThanOrEqual(60 * MINUTE);
    });
  });

  describe('spares', () => {
    it('a provider after three failures, until one call after a pause succeeds', async () => {
      const failing = chain(web());
      first.answer({ status: 500 });
      for (let i = 0; i < 3; i += 1)
        await tried(failing.search(fresh(), never));
      expect(await tried(failing.search(fresh(), never))).toEqual([
        { provider: 'web', fault: 'circuit_open', after: 'unreachable' },
      ]);
      expect(first.requests).toHaveLength(3);
      expect(warn.mock.calls).toEqual([
        ['web is not used for 30 s: unreachable (HTTP 500)'],
      ]);
      expect(await failing.states()).toEqual([
        { name: 'web', scope: 'public', fault: 'circuit_open' },
      ]);
      now += 30_000;
      first.answer({ body: results('https://example.org/') });
      expect(await tried(failing.search(fresh(), never))).toBe('answered');
      expect(await failing.states()).toEqual([
        { name: 'web', scope: 'public' },
      ]);
    });

    it('a query that providers refuse does not count against them', async () => {
      const failing = chain(web());
      first.answer({ status: 400, body: { error: 'No query' } });
      for (let i = 0; i < 5; i += 1)
        expect(await tried(failing.search(fresh(), never))).toEqual([
          { provider: 'web', fault: 'refused_query' },
        ]);
    });

    it('one with a wrong key in every worker, and reports it without the key', async () => {
      second.answer({ status: 401, body: { detail: { error: SECRET } } });
      const refused = [{ provider: 'paid', fault: 'unauthorized' }];
      const [mine, others] = [chain(paid()), chain(paid())];
      expect(await tried(mine.search(fresh(), never))).toEqual(refused);
      expect(await tried(mine.search(fresh(), never))).toEqual(refused);
      expect(await tried(others.search(fresh(), never))).toEqual(refused);
      expect(second.requests).toHaveLength(1);
      expect(await others.states()).toEqual([
        { name: 'paid', scope: 'public', fault: 'unauthorized' },
      ]);
      expect(warn.mock.calls).toEqual([
        ['paid is not used for 600 s: unauthorized (HTTP 401)'],
      ]);
      expect(await redis.dump()).not.toContain(SECRET);
    });

    it('no provider with a new key', async () => {
      second.answer({ status: 401 });
      await tried(chain(paid()).search(fresh(), never));
      second.answer({ body: results('https://example.org/') });
      const corrected = chain(paid({ key: 'another-key' }));
      expect(await tried(corrected.search(fresh(), never))).toBe('answered');
    });

    it('one whose plan is used up', async () => {
      second.answer({ status: 432 });
      const failing = chain(paid());
      const refused = [{ provider: 'paid', fault: 'quota_exceeded' }];
      expect(await tried(failing.search(fresh(), never))).toEqual(refused);
      expect(await tried(failing.search(fresh(), never))).toEqual(refused);
      expect(second.requests).toHaveLength(1);
    });

    it('one that asks for a longer pause than a search waits', async () => {
      const headers = { 'retry-after': '3000' };
      first.answer({ status: 429, headers, body: 'Too Many Requests' });
      const limited = chain(web(), paid());
      for (let i = 0; i < 2; i += 1)
        expect(await limited.search(fresh(), never)).toMatchObject({
          provider: 'paid',
          tried: [{ provider: 'web', fault: 'rate_limited' }],
        });
      expect(first.requests).toHaveLength(1);
    });
  });

  describe('keeps to a rate', () => {
    it('over two workers, and falls back where a turn is too far off', async () => {
      const rate = { requests: 2, windowMs: 10 * MINUTE };
      const workers = [1, 2].map(() => chain(web({ rate }), paid()));
      const outcomes = await Promise.all(
        [0, 1, 0, 1, 0, 1].map((i) => workers[i].search(fresh(), never)),
      );
      expect(first.requests).toHaveLength(2);
      expect(outcomes.map(({ provider }) => provider).sort()).toEqual([
        'paid',
        'paid',
        'paid',
        'paid',
        'web',
        'web',
      ]);
      expect(outcomes.flatMap((one) => one.tried)).toEqual(
        Array(4).fill({ provider: 'web', fault: 'rate_limited' }),
      );
    });

    it('by waiting for a turn that is near', async () => {
      const starts: number[] = [];
      first.reply = () => {
        starts.push(performance.now());
        return { body: results('https://example.org/') };
      };
      const limited = chain(web({ rate: { requests: 1, windowMs: 150 } }));
      const begun = performance.now();
      const searches = Array.from({ length: 3 }, () =>
        limited.search(fresh(), never),
      );
      await Promise.all(searches);
      // A timer may fire a millisecond early.
      expect(starts[2] - begun).toBeGreaterThan(290);
    });

    it('without waiting for a turn once its caller has left', async () => {
      const rate = { requests: 1, windowMs: 50_000 };
      const limited = chain(web({ rate }));
      await limited.search(fresh(), never);
      const caller = new AbortController();
      const waiting = limited.search(fresh(), caller.signal);
      const reason = new Error('the run is over');
      setImmediate(() => caller.abort(reason));
      await expect(waiting).rejects.toBe(reason);
      expect(first.requests).toHaveLength(1);
    });
  });

  it('searches while Redis is unavailable, each process within the rate', async () => {
    const rate = { requests: 1, windowMs: 10 * MINUTE };
    const limited = chain(web({ rate }), paid());
    await redis.down();
    const query = fresh();
    const once = await limited.search(query, never);
    const next = await limited.search(query, never);
    expect([once.provider, next.provider]).toEqual(['web', 'paid']);
    await redis.up();
  });
});
