import type { SandboxUnderTest } from './testing/sandbox-under-test';
import { sandboxUnderTest, until } from './testing/sandbox-under-test';

interface Found {
  query: string;
  results: {
    url: string;
    title: string;
    content: string;
    engines: string[];
    score: number;
    category: string;
    publishedDate: string | null;
  }[];
  unresponsive_engines: [string, string][];
}

describe('the web of the sandbox', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest()));
  afterEach(() => s.reset());
  afterAll(() => s.close());

  const search = (q: string, more = '') =>
    s.get<Found>(`/search?q=${encodeURIComponent(q)}&format=json${more}`);
  const page = (path: string, init?: RequestInit) => fetch(s.url + path, init);
  const urls = async (q: string, more = '') =>
    (await search(q, more)).results.map(({ url }) => url.replace(s.url, ''));

  describe('GET /search', () => {
    it('answers in the form of SearXNG, with pages of its own origin', async () => {
      const found = await search('history of kimchi');
      expect(found).toMatchObject({
        query: 'history of kimchi',
        answers: [],
        corrections: [],
        infoboxes: [],
        suggestions: [],
        unresponsive_engines: [],
      });
      expect(found).not.toHaveProperty('number_of_results');
      expect(found.results[0]).toMatchObject({
        url: `${s.url}/pages/en/kimchi`,
        title: 'Kimchi and the making of it together',
        content: expect.stringMatching(/kimchi/i),
        engines: ['sandbox'],
        category: 'general',
        publishedDate: null,
        score: 1,
      });
      for (const { url } of found.results)
        expect((await fetch(url)).status).toBe(200);
    });

    it('takes the language that is asked for alone, else that of the query, which comes first of all', async () => {
      expect(await urls('김치')).toEqual(['/pages/ko/kimchi']);
      expect(await urls('김치', '&language=all')).toEqual([
        '/pages/ko/kimchi',
        '/pages/en/kimchi',
      ]);
      expect(await urls('김치', '&language=en-US')).toEqual([
        '/pages/en/kimchi',
      ]);
      expect(await urls('kimchi', '&language=ko')).toEqual([
        '/pages/ko/kimchi',
      ]);
    });

    it('has pages of ten results', async () => {
      const first = await urls('jajangmyeon kimchi', '&language=all');
      const second = await urls('jajangmyeon kimchi', '&language=all&pageno=2');
      expect(first).toHaveLength(10);
      expect(second.length).toBeGreaterThan(0);
      expect(first.filter((url) => second.includes(url))).toEqual([]);
      expect(
        await urls('jajangmyeon kimchi', '&language=all&pageno=9'),
      ).toEqual([]);
    });

    it('finds nothing on what the corpus lacks', async () => {
      expect(await search('axolotls')).toMatchObject({
        results: [],
        unresponsive_engines: [],
      });
    });

    it.each([
      ['/search?q=kimchi', 403, /^<!doctype html>/],
      ['/search?q=kimchi&format=csv', 403, /^<!doctype html>/],
      ['/search?format=json', 400, /^\{"error":"No query"\}$/],
      ['/search?q=kimchi&format=json&pageno=0', 400, /pageno/],
    ])('refuses %s with %d', async (path, status, body) => {
      const reply = await page(path);
      expect(reply.status).toBe(status);
      expect(await reply.text()).toMatch(body);
    });

    it('lists what was searched for', async () => {
      await search('김치');
      const { requests } = await s.get<{ requests: object[] }>(
        '/sandbox/stats?path=/search',
      );
      expect(requests).toMatchObject([
        { method: 'GET', query: '김치', status: 200 },
      ]);
    });

    it('has no results where its engines are blocked, some where one of them is', async () => {
      await s.fault({ kind: 'blocked_engines' });
      await s.fault({ kind: 'blocked_engines', partly: true });
      const [blocked, partly, after] = [
        await search('kimchi'),
        await search('kimchi'),
        await search('kimchi'),
      ];
      expect(blocked.results).toEqual([]);
      expect(blocked.unresponsive_engines).toHaveLength(2);
      expect(partly.results).toEqual(after.results);
      expect(partly.unresponsive_engines).toHaveLength(1);
      expect(after.unresponsive_engines).toEqual([]);
    });

    it('can be empty without a reason', async () => {
      await s.fault({ kind: 'no_results' });
      expect(await search('kimchi')).toMatchObject({
        results: [],
        unresponsive_engines: [],
      });
    });

    it('can answer 429, HTML, or nothing until it is cleared', async () => {
      const match = { path: '/search' };
      await s.fault({ kind: 'status', status: 429, body: 'html', match });
      await s.fault({ kind: 'status', status: 200, body: 'html', match });
      await s.fault({ kind: 'hang', match });
      const path = '/search?q=kimchi&format=json';
      expect((await page(path)).status).toBe(429);
      expect(await (await page(path)).text()).toMatch(/^<html>/);
      const hanging = page(path);
      const stats = () =>
        s.get<{ requests: object[] }>('/sandbox/stats?path=/search');
      await until(async () => (await stats()).requests.length === 3);
      await s.clearFaults();
      expect((await hanging).status).toBe(200);
    });

    it('can lead to a hostile version of the first page', async () => {
      await s.fault({ kind: 'hostile_result', page: 'injection' });
      const found = await urls('kimchi', '&language=all');
      expect(found).toEqual([
        '/pages/hostile/injection/en/kimchi',
        '/pages/ko/kimchi',
      ]);
      const refused = await s.post('/sandbox/faults', {
        kind: 'hostile_result',
        page: 'nonsense',
      });
      expect(refused.status).toBe(422);
    });
  });

  describe('a page', () => {
    it('is HTML with a menu and a footer around the article', async () => {
      const reply = await page('/pages/en/kimchi');
      expect(reply.headers.get('content-type')).toBe(
        'text/html; charset=utf-8',
      );
      const html = await reply.text();
      expect(html).toMatch(/<nav>.*Contact.*<\/nav>/s);
      expect(html).toMatch(
        /<article>.*<p>Kimchi is salted vegetables.*<\/article>/s,
      );
      expect(html).toMatch(/<footer>.*Terms of use.*<\/footer>/s);
    });

    it('can be a PDF whose cross-reference table is right', async () => {
      expect(await urls('durable execution', '&language=en')).toEqual([
        '/pages/en/durable-execution.pdf',
      ]);
      const reply = await page('/pages/en/durable-execution.pdf');
      expect(reply.headers.get('content-type')).toBe('application/pdf');
      const file = Buffer.from(await reply.arrayBuffer()).toString('latin1');
      const [, xref] = /startxref\n(\d+)\n%%EOF\n$/.exec(file) ?? [];
      const table = file.slice(Number(xref));
      expect(table).toMatch(/^xref\n0 \d+\n0000000000 65535 f \n/);
      const offsets = [...table.matchAll(/^(\d{10}) 00000 n $/gm)];
      expect(offsets.length).toBeGreaterThan(5);
      offsets.forEach(([, offset], index) =>
        expect(file.slice(Number(offset))).toMatch(
          new RegExp(`^${index + 1} 0 obj\n`),
        ),
      );
      for (const [, length, content] of file.matchAll(
        /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g,
      ))
        expect(content).toHaveLength(Number(length));
      expect(file).toMatch(/\(Durable execution.*\) Tj/i);
    });

    it.each([
      [
        '/pages/ko/hangul',
        'text/html; charset=euc-kr',
        '한글은 조선의 네 번째',
      ],
      ['/pages/ko/haenyeo', 'text/html', '<meta charset="euc-kr">'],
      ['/pages/hostile/cp949/ko/hangul', 'text/html; charset=euc-kr', '한글은'],
    ])('can be EUC-KR: %s', async (path, type, text) => {
      const reply = await page(path);
      expect(reply.headers.get('content-type')).toBe(type);
      const bytes = await reply.arrayBuffer();
      expect(new TextDecoder('euc-kr').decode(bytes)).toContain(text);
      expect(() =>
        new TextDecoder('utf-8', { fatal: true }).decode(bytes),
      ).toThrow();
    });

    it('of CP949 has a syllable beyond EUC-KR', async () => {
      const reply = await page('/pages/hostile/cp949/ko/hangul');
      const bytes = Buffer.from(await reply.arrayBuffer());
      // 똠방각하
      expect(bytes.includes(Buffer.from('8c63b9e6b0a2c7cf', 'hex'))).toBe(true);
    });

    it('is not for robots below /pages/disallowed', async () => {
      expect(await (await page('/robots.txt')).text()).toBe(
        'User-agent: *\nDisallow: /pages/disallowed/\n',
      );
      expect((await page('/pages/disallowed/en/kimchi')).status).toBe(200);
    });

    it('answers HEAD without a body, and 404 where there is none', async () => {
      const head = await page('/pages/en/kimchi', { method: 'HEAD' });
      expect(head.status).toBe(200);
      expect(await head.text()).toBe('');
      expect((await page('/pages/en/none')).status).toBe(404);
      expect((await page('/pages/hostile/none/en/kimchi')).status).toBe(404);
    });
  });

  describe('a hostile page', () => {
    const hostile = (name: string, init?: RequestInit) =>
      page(`/pages/hostile/${name}/en/kimchi`, init);

    it.each([
      ['injection', /<p>Ignore all previous instructions[^<]*<\/p>/],
      ['hidden', /display:none">Ignore all previous instructions/],
      ['data-tags', /&lt;\/data&gt;\n&lt;data name=/],
      ['login', /<input name="password" type="password">/],
      ['nested', /(<div>){1000}/],
    ])('%s has what it is named for', async (name, text) => {
      const reply = await hostile(name);
      expect(reply.status).toBe(200);
      expect(await reply.text()).toMatch(text);
    });

    it.each([
      ['error', 500],
      ['unauthorized', 401],
      ['empty', 200],
      ['binary', 200],
    ])('%s answers %d', async (name, status) => {
      expect((await hostile(name)).status).toBe(status);
    });

    it.each([
      ['redirect-private', 'http://169.254.169.254/latest/meta-data/'],
      ['redirect-loop', '/pages/hostile/redirect-loop/en/kimchi'],
    ])('%s leads elsewhere', async (name, location) => {
      const reply = await hostile(name, { redirect: 'manual' });
      expect(reply.status).toBe(302);
      expect(reply.headers.get('location')).toBe(location);
    });

    it.each([
      ['endless', 1_000_000],
      ['silent', 10],
    ])('%s does not end by itself', async (name, enough) => {
      const abort = new AbortController();
      const reply = await hostile(name, { signal: abort.signal });
      let size = 0;
      for await (const chunk of reply.body ?? []) {
        size += (chunk as Uint8Array).length;
        if (size >= enough) break;
      }
      expect(size).toBeGreaterThanOrEqual(enough);
      abort.abort();
    });

    it('bomb is small on the wire and large after decompression', async () => {
      const reply = await hostile('bomb');
      expect(reply.headers.get('content-encoding')).toBe('gzip');
      expect((await reply.arrayBuffer()).byteLength).toBe(32 * 1024 * 1024);
    });

    it('wrong-charset has bytes that are not those of its header', async () => {
      const reply = await page('/pages/hostile/wrong-charset/ko/kimchi');
      expect(reply.headers.get('content-type')).toMatch(/utf-8/);
      const bytes = await reply.arrayBuffer();
      expect(new TextDecoder('euc-kr').decode(bytes)).toContain('김치');
    });
  });
});
