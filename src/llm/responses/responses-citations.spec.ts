import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import { citationsIn, sourcesIn } from './responses-citations';

const at = (start_index: number, end_index: number) => ({
  url: 'https://a.example',
  title: 'A',
  start_index,
  end_index,
});

describe(citationsIn.name, () => {
  it('counts code points, and omits ranges outside the text', () => {
    const annotations = [
      { type: 'url_citation', ...at(1, 3) },
      { type: 'url_citation', ...at(1, 4) },
      { type: 'url_citation', ...at(2, 2) },
      { type: 'url_citation', ...at(0, 1), url: undefined },
      { type: 'file_citation', filename: 'a.md', index: 1 },
      null,
    ];
    expect(citationsIn({ annotations }, '🍜ab', 10)).toEqual([at(11, 13)]);
    expect(citationsIn({}, 'abc', 0)).toEqual([]);
  });
});

describe(sourcesIn.name, () => {
  it('never throws, for any items of a gateway', () => {
    const items = [
      null,
      { type: 'web_search_call' },
      { type: 'web_search_call', action: 'search' },
      { type: 'web_search_call', action: { url: null, sources: 'none' } },
      { type: 'web_search_call', action: { sources: [null, { url: 7 }] } },
    ] as unknown as ResponseOutputItem[];
    expect(sourcesIn(items, [])).toEqual([]);
    expect(sourcesIn(null, [])).toEqual([]);
  });
});
