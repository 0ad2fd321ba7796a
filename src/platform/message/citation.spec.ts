import { located, moved, shownPlaces } from './citation';

const at = (start_index: number, end_index: number) => ({
  url: 'https://a.example',
  title: 'A',
  start_index,
  end_index,
});

describe(moved.name, () => {
  it('moves the sentence with its mark, and leaves everything else', () => {
    const cited = { ...at(7, 10), sentence_start: 0, sentence_end: 6 };
    expect(moved([{ ...cited, source: 2 }], 5)).toEqual([
      { ...at(12, 15), sentence_start: 5, sentence_end: 11, source: 2 },
    ]);
    expect(moved([at(1, 3)], 5)).toEqual([at(6, 8)]);
  });
});

describe(located.name, () => {
  it.each<[string, string, number]>([
    ['abc', 'abc', 0],
    ['abc', '  abc\n', 2],
    ['abc', '🍜 abc', 2],
    [' abc ', 'abc', -1],
  ])('moves citations of %j to its place in %j', (text, within, shift) => {
    expect(located([at(1, 3)], text, within)).toEqual([
      at(1 + shift, 3 + shift),
    ]);
  });

  it('drops a citation whose range was trimmed', () => {
    expect(located([at(0, 2)], '  abc', 'abc')).toEqual([]);
  });
});

describe(shownPlaces.name, () => {
  it('has each mark of a source once, whatever sentences share it', () => {
    const url = 'https://a.example/';
    const mark = { url, title: 'A', start_index: 5, end_index: 8 };
    const other = { ...mark, url: 'https://b.example/' };
    expect(
      shownPlaces([
        { ...mark, sentence_start: 0, sentence_end: 2 },
        { ...mark, sentence_start: 3, sentence_end: 5 },
        other,
      ]),
    ).toEqual([{ ...mark, sentence_start: 3, sentence_end: 5 }, other]);
  });
});
