import { located } from './citation';

const at = (start_index: number, end_index: number) => ({
  url: 'https://a.example',
  title: 'A',
  start_index,
  end_index,
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
