import { hashOf } from '../agent/journal/journal-entries';
import { keysOf, mayHoldPage, purgedEntries } from './purged-entries';

const URL_OF = 'https://a.example/page';
const hits = [
  {
    url: URL_OF,
    title: 'A',
    snippet: 'Its own words.',
    fragment: ':~:text=own',
  },
  { url: `${URL_OF}?utm_source=x`, title: 'A', snippet: 'Its own words.' },
  { url: 'https://b.example/', title: 'B', snippet: 'Words of another.' },
];
const entry = (value: object, input = 'i') => JSON.stringify({ input, value });

describe(purgedEntries.name, () => {
  const entries = new Map([
    ['search:public0:0:0', entry({ hits })],
    ['inherited:search:0a', entry({ hits })],
    ['search:public0:1:1', entry({ tried: [] })],
  ]);
  const purged = purgedEntries(entries, keysOf(entries, [URL_OF]));
  const hitsOf = (field: string) =>
    (JSON.parse(purged.get(field)!) as { value: { hits: object[] } }).value
      .hits;

  it.each(['search:public0:0:0', 'inherited:search:0a'])(
    'has no words of a page in what searches have shown of it: %s',
    (field) => {
      expect(mayHoldPage(field)).toBe(true);
      expect(hitsOf(field)).toEqual([
        { url: URL_OF, title: 'A' },
        { url: `${URL_OF}?utm_source=x`, title: 'A' },
        hits[2],
      ]);
    },
  );

  it('has no word of a page that a sentence of the report lacks', () => {
    const detail = 'its own words';
    const cited = { url: URL_OF, title: 'A', start_index: 0, end_index: 9 };
    const emitted = (citation: object, sentence: object) => ({
      citations: [{ ...cited, ...citation }],
      sections: [
        {
          title: '',
          sentences: [
            { text: 'It is old.', noteIds: ['n1'], ...sentence },
            { text: 'So is this.', noteIds: ['n2'], detail },
          ],
        },
      ],
    });
    const report = new Map([
      [
        'evidence',
        entry({
          sources: [
            { number: 1, url: URL_OF },
            { number: 2, url: 'https://b.example/' },
          ],
          notes: [
            { id: 'n1', source: 1 },
            { id: 'n2', source: 2 },
          ],
          contradictions: [],
        }),
      ],
      [
        'emit:0',
        entry(emitted({ quote: 'Its own words.', detail }, { detail })),
      ],
      [
        'verify:0:0',
        entry({
          kept: {
            answers: [
              { id: 's1', words: [detail], differs: detail, verdict: 'x' },
            ],
          },
        }),
      ],
    ]);
    const after = purgedEntries(report, keysOf(report, [URL_OF]));
    const { value } = JSON.parse(after.get('emit:0')!) as { value: object };
    expect(value).toEqual(emitted({ quote: '', purged: true }, {}));
    expect(after.get('verify:0:0')).not.toContain(detail);
    expect(purgedEntries(after, keysOf(after, [URL_OF]))).toEqual(after);
  });

  it('leaves what holds nothing of the page, and what was purged before, as it is', () => {
    const search = 'search:public0:1:1';
    expect(purged.get(search)).toBe(entries.get(search));
    expect(purgedEntries(purged, keysOf(purged, [URL_OF]))).toEqual(purged);
  });

  it('finds the words of a page under the address that it redirects to', () => {
    const from = 'https://a.example/old';
    const found = new Map([
      [
        'search:public0:0:0',
        entry({ hits: [{ url: from, title: 'A' }, hits[0]] }),
      ],
      [
        'page:public0.0:0',
        entry({ head: { url: URL_OF } }, hashOf({ url: from })),
      ],
    ]);
    const after = purgedEntries(found, keysOf(found, [from]));
    expect(after.get('search:public0:0:0')).not.toContain('Its own words');
  });
});
