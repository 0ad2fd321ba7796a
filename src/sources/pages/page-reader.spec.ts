import { getEventListeners } from 'node:events';
import { PageHost } from '../../../test/support/pages/page-host';
import { PageRoom } from '../../../test/support/pages/page-room';
import { TestRedis } from '../../../test/support/redis/redis';
import { until } from '../../../test/support/until';
import { TimeBudget } from './fetch/time-budget';
import { type Page, PageUnreadable } from './page.types';

const { signal } = new AbortController();
const TEXT = '<title>Rivers</title><p>The Danube is 2,850 km long.</p>';

let redis: TestRedis;
let host: PageHost;
let room: PageRoom;
let other: PageRoom;

beforeAll(async () => void (redis = await TestRedis.start()));
afterAll(() => redis.stop());
beforeEach(async () => {
  host = await PageHost.start();
  room = await new PageRoom(redis, [host.origin]).ready();
  other = await new PageRoom(redis, [host.origin]).ready();
});
afterEach(async () => {
  await Promise.all([room.close(), other.close()]);
  await host.stop();
});

const faultOf = (url: string): Promise<unknown> =>
  room.reader.read(url, signal).then(
    () => undefined,
    (error: PageUnreadable) => error.fault,
  );

const robots = (text: string): string =>
  host.page('/robots.txt', text, 'text/plain');

describe('a page', () => {
  it('has its text, its final address and what proves which page it was', async () => {
    host.page('/b', TEXT, 'text/html', { 'content-language': 'en' });
    const page = await room.reader.read(
      `${host.redirect('/a', '/b')}#top`,
      signal,
    );
    expect(page).toEqual({
      url: `${host.origin}/b`,
      title: 'Rivers',
      text: 'The Danube is 2,850 km long.',
      language: 'en',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      fetchedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      mime: 'text/html',
    });
  });

  it('that only leads to another is that other', async () => {
    host.page('/b', TEXT);
    const url = host.page(
      '/moved',
      '<meta http-equiv="refresh" content="3; url=b#part"><p>This page has moved.',
    );
    expect(await room.reader.read(url, signal)).toMatchObject({
      url: `${host.origin}/b`,
      title: 'Rivers',
    });
  });

  it.each([
    ['leads to itself', 'content="5; url=/news#now"', 'News.'],
    ['leads elsewhere much later', 'content="300; url=/b"', 'News.'],
    ['has more than a notice', 'content="5; url=/b"', 'News. '.repeat(200)],
  ])('that %s is read', async (_, content, text) => {
    const refresh = `<meta http-equiv=refresh ${content}>`;
    const url = host.page('/news', `${refresh}<p>${text}</p>`);
    expect((await room.reader.read(url, signal)).url).toBe(url);
  });

  it.each([
    ['challenge', 403, { 'cf-mitigated': 'challenge' }],
    ['captcha', 405, { 'x-amzn-waf-action': 'captcha' }],
    ['paywall', 402, {}],
    ['http_error', 403, { server: 'cloudflare' }],
  ])('whose host announces a %s is none', async (fault, status, headers) => {
    const url = host.on('/gate', (_, reply) =>
      reply.writeHead(status, headers).end(TEXT),
    );
    expect(await faultOf(url)).toBe(fault);
  });

  it('is asked for by an honest name, without anything about who asks', async () => {
    let headers: unknown;
    const url = host.on('/name', (request, reply) => {
      headers = request.headers;
      reply.writeHead(200, { 'set-cookie': 'a=b' }).end(TEXT);
    });
    await room.reader.read(url, signal);
    expect(headers).toEqual({
      host: new URL(url).host,
      connection: 'close',
      'user-agent': expect.stringMatching(/^Sonde\/\d.*sonde/) as string,
      accept: '*/*',
      'accept-encoding': 'gzip, br, zstd',
    });
  });

  it('after five redirects is read, after six it is not', async () => {
    for (let at = 0; at < 6; at += 1) host.redirect(`/${at}`, `/${at + 1}`);
    host.page('/6', TEXT);
    expect((await room.reader.read(`${host.origin}/1`, signal)).title).toBe(
      'Rivers',
    );
    expect(await faultOf(`${host.origin}/0`)).toBe('http_error');
  });

  it('stays at no signal once it is read, however long that lives', async () => {
    const run = new AbortController();
    const [listen, any] = [
      jest.spyOn(EventTarget.prototype, 'addEventListener'),
      jest.spyOn(AbortSignal, 'any'),
    ];
    await room.reader.read(host.page('/a', TEXT), run.signal);
    await new TimeBudget(1_000).spend(run.signal, () => Promise.resolve());
    const targets = [...listen.mock.contexts] as EventTarget[];
    expect(targets).toContain(run.signal);
    for (const target of targets)
      expect(getEventListeners(target, 'abort')).toEqual([]);
    expect(any).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('ends with the reason of an aborted signal, and leaves the host', async () => {
    const abort = new AbortController();
    const reason = new Error('lost');
    const url = host.on('/slow', () => abort.abort(reason));
    await expect(room.reader.read(url, abort.signal)).rejects.toBe(reason);
    await expect(room.reader.read(url, abort.signal)).rejects.toBe(reason);
    await until('the host to be left', (saw) => saw(host.atOnce) === 0);
  });
});

describe('robots.txt', () => {
  it('is asked once for all pages of an origin', async () => {
    robots('User-agent: *\nDisallow: /private');
    const pages = ['/1', '/2', '/3'].map((path) => host.page(path, TEXT));
    await Promise.all(pages.map((url) => room.reader.read(url, signal)));
    expect(host.count('/robots.txt')).toBe(1);
    expect(await faultOf(host.page('/private/1', TEXT))).toBe('robots');
    expect(host.count('/private/1')).toBe(0);
  });

  it('binds a page that a redirect leads to', async () => {
    robots(
      'User-agent: Sonde/1.0\nDisallow: /private\n\nUser-agent: *\nAllow: /',
    );
    host.page('/private', TEXT);
    expect(await faultOf(host.redirect('/open', '/private'))).toBe('robots');
  });

  it('for others does not bind', async () => {
    robots('User-agent: otherbot\nDisallow: /');
    expect(await faultOf(host.page('/a', TEXT))).toBeUndefined();
  });

  it.each([
    [403, undefined],
    [404, undefined],
    [500, 'robots'],
    [503, 'robots'],
  ])('with status %d makes a page %s', async (status, fault) => {
    host.on('/robots.txt', (_, reply) => reply.writeHead(status).end());
    expect(await faultOf(host.page('/a', TEXT))).toBe(fault);
  });

  it('counts up to 512 KiB', async () => {
    robots(
      `User-agent: *\nDisallow: /a\n${'# comment\n'.repeat(200_000)}Disallow: /b`,
    );
    expect(await faultOf(host.page('/a', TEXT))).toBe('robots');
    expect(await faultOf(host.page('/b', TEXT))).toBeUndefined();
  });
});

describe('a host', () => {
  it('has two requests at once from all workers together', async () => {
    const open: (() => void)[] = [];
    const urls = [1, 2, 3, 4, 5, 6].map((at) =>
      host.on(`/${at}`, (_, reply) => void open.push(() => reply.end(TEXT))),
    );
    const reads = urls.map((url, at) =>
      (at % 2 ? room : other).reader.read(url, signal),
    );
    for (let answered = 0; answered < urls.length; answered += 1) {
      await until('a request to arrive', () => open.length > 0);
      open.shift()!();
    }
    await Promise.all(reads);
    expect(host.mostAtOnce).toBe(2);
    expect(await redis.dump('sonde:page-host:*')).toBe('[]');
  });

  it('is free again when the lease of a dead worker has ended', async () => {
    const key = 'sonde:page-host:127.0.0.1';
    await redis.call('ZADD', key, '1', 'dead', '2', 'dead too');
    expect(await faultOf(host.page('/a', TEXT))).toBeUndefined();
  });

  it('that stays busy is given up in time', async () => {
    const key = 'sonde:page-host:127.0.0.1';
    const later = String(Date.now() + 3_600_000);
    await redis.call('ZADD', key, later, 'a', later, 'b');
    const limits = { hostWaitMs: 100 };
    const hasty = await new PageRoom(redis, [host.origin], limits).ready();
    const read = hasty.reader.read(host.page('/a', TEXT), signal);
    await expect(read).rejects.toMatchObject({ fault: 'timeout' });
    await hasty.close();
    await redis.call('DEL', key);
  });

  it('is read without Redis, and has two requests of this worker then', async () => {
    await redis.down();
    await until('the connection to be lost', () => !room.connections.ready);
    const urls = [1, 2, 3, 4].map((at) => host.page(`/${at}`, TEXT));
    const pages = await Promise.all(
      urls.map((url) => room.reader.read(url, signal)),
    );
    expect(pages).toHaveLength(4);
    expect(host.mostAtOnce).toBeLessThanOrEqual(2);
    await redis.up();
  });
});

describe('the cache', () => {
  const page = (text: string): Page => ({
    url: 'https://example.com/',
    title: 'Rivers',
    text,
    sha256: 'a',
    fetchedAt: '2026-01-01T00:00:00.000Z',
    mime: 'text/html',
  });
  const url = new URL('https://example.com/rivers?a=b');

  beforeEach(() => redis.call('FLUSHALL'));

  it('gives a public page to every worker for an hour, and says when it was fetched', async () => {
    await room.cache.set(url, page('길이 2,850 km'.repeat(1_000)));
    expect(await other.reader.read(url.href, signal)).toEqual(
      page('길이 2,850 km'.repeat(1_000)),
    );
    const [key] = (await redis.call('KEYS', 'sonde:page:*')) as string[];
    const left = Number(await redis.call('PTTL', key));
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
  });

  it('gives no page that was purged, and stores none that was fetched before', async () => {
    const from = new URL('https://example.com/old');
    const moved = { ...page('text'), url: url.href };
    await room.cache.set(url, page('text'));
    await room.cache.set(from, moved);
    expect(await room.cache.get(from)).toEqual(moved);
    expect(await other.cache.purge(new URL(`${url.href}#part`))).toBe(true);
    expect(await other.cache.purge(url)).toBe(false);
    expect(await room.cache.get(url)).toBeUndefined();
    expect(await room.cache.get(from)).toBeUndefined();
    await room.cache.set(url, page('text'));
    const again = new URL('https://example.com/older');
    await room.cache.set(again, moved);
    expect(await room.cache.get(url)).toBeUndefined();
    expect(await room.cache.get(again)).toBeUndefined();
    const keys = (await redis.call('KEYS', 'sonde:page:*')) as string[];
    const left = await Promise.all(keys.map((key) => redis.call('PTTL', key)));
    // The mark of the purge, and the page under the address that redirects to it.
    expect(left).toHaveLength(2);
    expect(left.filter((ms) => Number(ms) <= 300_000)).toHaveLength(1);
  });

  it('stores no long page, and no page of an allowed origin', async () => {
    await room.cache.set(url, page('a'.repeat(500_001)));
    await room.reader.read(host.page('/a', TEXT), signal);
    expect(await redis.dump('sonde:page:*')).toBe('[]');
  });

  it('stops for the hour at its limit', async () => {
    const hour = Math.floor(room.connections.clock.now() / 3_600_000);
    for (const at of [hour, hour + 1])
      await redis.call(
        'SET',
        `sonde:page-bytes:${at}`,
        String(64 * 1024 * 1024),
      );
    await room.cache.set(url, page('text'));
    expect(await room.cache.get(url)).toBeUndefined();
  });
});
