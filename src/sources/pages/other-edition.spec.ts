import { extractPage } from './extraction/page-extraction';
import { isOtherEdition } from './other-edition';

const EN = { url: 'https://example.com/en/rivers', language: 'en' };
const DE = { url: 'https://example.com/de/rivers', language: 'de-AT' };

describe(isOtherEdition.name, () => {
  it('is true of a page that names one that was read', () => {
    const alternates = ['https://example.com/fluesse'];
    const read = [{ url: 'https://example.com/fluesse?utm_source=a' }];
    expect(isOtherEdition({ ...EN, alternates }, read)).toBe(true);
  });

  it('is true of addresses that differ in the languages of their pages alone', () => {
    expect(isOtherEdition(EN, [DE])).toBe(true);
  });

  it.each([
    ['nothing was read', EN, []],
    ['it was read itself', { ...EN, alternates: [EN.url] }, [EN]],
    ['the path differs', EN, [{ ...DE, url: `${DE.url}/danube` }]],
    ['a language is not known', EN, [{ url: DE.url }]],
    [
      'the segment is no language of the page',
      { url: 'https://example.com/us/news', language: 'en' },
      [{ url: 'https://example.com/uk/news', language: 'en' }],
    ],
    [
      'the hosts differ',
      { url: 'https://en.example.org/wiki/Berlin', language: 'en' },
      [{ url: 'https://de.example.org/wiki/Berlin', language: 'de' }],
    ],
  ])('is false where %s', (_, page, read) => {
    expect(isOtherEdition(page, read)).toBe(false);
  });

  it('knows the editions that the head of a page names, and at most 50', async () => {
    const links = Array.from(
      { length: 90 },
      (_, at) => `<link rel=alternate hreflang=de href="/${at}#top">`,
    );
    const page = await extractPage({
      url: EN.url,
      bytes: new Uint8Array(
        Buffer.from(
          `<link rel=alternate hreflang=en href="/en/rivers"><link rel=alternate type=rss href="/feed">${links.join('')}<p>Rivers.`,
        ),
      ),
      contentType: 'text/html',
      contentLanguage: '',
    });
    const { alternates } = page as { alternates: string[] };
    expect(alternates).toHaveLength(49);
    expect(alternates[0]).toBe('https://example.com/0');
  });
});
