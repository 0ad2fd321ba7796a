import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import { pageUrl } from '../upstream/cited-url';
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

describe(pageUrl.name, () => {
  it.each([
    ['https://a.example/?utm_source=openai', 'https://a.example/'],
    ['https://a.example/?utm_source=openai&b=1', 'https://a.example/?b=1'],
    ['https://a.example/?b=1&utm_source=openai', 'https://a.example/?b=1'],
    ['https://a.example/?utm_source=openai#c', 'https://a.example/#c'],
    ['https://a.example/#:~:text=old,noodles', 'https://a.example/'],
    ['https://a.example/?utm_source=openai#:~:text=x', 'https://a.example/'],
    ['https://a.example/#c:~:text=old', 'https://a.example/#c'],
    ['HTTPS://a.example/', 'HTTPS://a.example/'],
    ['javascript:alert(1)', ''],
    ['data:text/html,x', ''],
    ['file:///etc/passwd', ''],
    ['a.example', ''],
    [7, ''],
  ])('of %s is %s', (url, page) => {
    expect(pageUrl(url)).toBe(page);
  });
});

it('no citation and no source has an address that a browser would not open as a page', () => {
  const url = 'javascript:alert(1)';
  const annotations = [{ type: 'url_citation', ...at(0, 1), url }];
  expect(citationsIn({ annotations }, 'abc', 0)).toEqual([]);
  const opened = { type: 'web_search_call', action: { url } };
  const items = [opened] as unknown as ResponseOutputItem[];
  expect(sourcesIn(items, [])).toEqual([]);
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
