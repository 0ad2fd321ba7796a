import { cleanHits, plainLine } from './hits';
import { queryText } from './search-text';
import { urlKey } from './url-key';

describe(cleanHits.name, () => {
  const clean = (raw: Parameters<typeof cleanHits>[0], limit = 50) =>
    cleanHits(raw, 'web', limit);

  it('keeps http(s) addresses alone, without credentials', () => {
    const urls = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'document:secret.md',
      'ftp://example.org/',
      'https://user:pw@example.org/',
      '/relative',
      '',
      null,
      7,
      `https://example.org/${'x'.repeat(2_000)}`,
      'HTTPS://Example.org/a',
    ];
    expect(clean(urls.map((url) => ({ url }))).map(({ url }) => url)).toEqual([
      'https://example.org/a',
    ]);
  });

  it('keeps the first of two addresses of one page, as it was written', () => {
    const hits = clean([
      { url: 'https://example.org/?b=2&a=1&utm_source=x#top', title: 'first' },
      { url: 'https://example.org/?a=1&b=2', title: 'second' },
    ]);
    expect(hits.map(({ url, title }) => [url, title])).toEqual([
      ['https://example.org/?b=2&a=1&utm_source=x#top', 'first'],
    ]);
  });

  it('bounds the number of hits and all of their texts', () => {
    const raw = Array.from({ length: 99 }, (_, i) => ({
      url: `https://example.org/${i}`,
      title: 'ti'.repeat(9_999),
      snippet: '🦊'.repeat(9_999),
      content: 'c'.repeat(999_999),
    }));
    const hits = clean(raw, 99);
    expect(hits).toHaveLength(50);
    expect(hits[0].title).toHaveLength(300);
    expect(hits[0].snippet).toBe('🦊'.repeat(500));
    expect(hits[0].content).toHaveLength(100_000);
    expect(clean(raw, 3)).toHaveLength(3);
  });

  it('takes a hit without a title by its address, and drops what is no text', () => {
    const [hit] = clean([
      { url: 'https://example.org/', title: 7, snippet: {}, publishedAt: 'x' },
    ]);
    expect(hit).toEqual({
      url: 'https://example.org/',
      title: 'https://example.org/',
      snippet: '',
      provider: 'web',
    });
  });

  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:00:00', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01 10:00:00.123456', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00:00+09:00', '2026-03-01T01:00:00.000Z'],
    ['2026-13-41', undefined],
    ['yesterday', undefined],
    [1_700_000_000, undefined],
  ])('reads the date %j as %j', (publishedAt, expected) => {
    const [hit] = clean([{ url: 'https://example.org/', publishedAt }]);
    expect(hit.publishedAt).toBe(expected);
  });
});

describe(plainLine.name, () => {
  it.each([
    ['A <b>comet</b> &amp; its <em class="x">tail</em>', 'A comet & its tail'],
    ['use &lt;div&gt; here', 'use <div> here'],
    ['a < b and b > a', 'a < b and b > a'],
    ['<!-- hidden -->shown', 'shown'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['one\n\ttwo\u0000three', 'one two three'],
    ['abc\u202edcb', 'abc dcb'],
    ['&#x202e;hidden&#8203;', 'hidden'],
    ['half \ud83d', 'half \ufffd'],
  ])('reads %j as %j', (given, expected) => {
    expect(plainLine(given, 100)).toBe(expected);
  });

  it('reads hostile texts within their bounds', () => {
    for (const unit of ['<', '<a', '<!--', '&lt;', '</', '<a '])
      expect(plainLine(unit.repeat(99_999), 50).length).toBeLessThanOrEqual(50);
  });
});

describe(urlKey.name, () => {
  it.each([
    ['https://Example.org:443/a#b', 'https://example.org/a'],
    ['https://example.org/#!/page', 'https://example.org/#!/page'],
    ['https://example.org/?b=2&a=1', 'https://example.org/?a=1&b=2'],
    ['https://example.org/?a=2&a=1', 'https://example.org/?a=2&a=1'],
    [
      'https://example.org/?utm_source=a&UTM_Campaign=b&fbclid=c&gclid=d&id=7',
      'https://example.org/?id=7',
    ],
    ['https://example.org/?utm_medium=a', 'https://example.org/'],
    ['https://example.org/?q=a+b', 'https://example.org/?q=a%20b'],
    ['https://example.org', 'https://example.org/'],
  ])('has one key for %s and %s', (one, other) => {
    expect(urlKey(one)).toBe(urlKey(other));
  });

  it.each([
    ['https://example.org/a', 'https://example.org/a/'],
    ['https://example.org/#!/a', 'https://example.org/#!/b'],
    ['https://example.org/?a=1&a=2', 'https://example.org/?a=2&a=1'],
    ['https://example.org/?reference=1', 'https://example.org/'],
    ['document:a.md?part=1', 'document:a.md?part=2'],
    ['not a url', 'not another'],
  ])('has two keys for %s and %s', (one, other) => {
    expect(urlKey(one)).not.toBe(urlKey(other));
  });

  it('is its own key', () => {
    const key = urlKey('https://example.org/?b=ä&a=%20#x');
    expect(urlKey(key)).toBe(key);
  });
});

describe(queryText.name, () => {
  it('is one line without control characters', () => {
    expect(queryText('  a\n\tb\u0000\u202ec \u2028 ')).toBe('a b c');
  });

  it('is at most 400 characters, cut between words', () => {
    const long = queryText('혜성 '.repeat(1_000));
    expect(long.length).toBeLessThanOrEqual(400);
    expect(long).toMatch(/혜성$/);
    expect(queryText('x'.repeat(9_999))).toHaveLength(400);
    expect(queryText(`x${'🦊'.repeat(999)}`)).toHaveLength(399);
  });
});
