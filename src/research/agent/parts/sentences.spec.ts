import { MAX_SENTENCE, sentencesOf } from './sentences';

const split = (text: string, headings?: number[]): string[] =>
  [...sentencesOf(text, undefined, headings)].map(({ start, end }) =>
    text.slice(start, end),
  );

describe(sentencesOf.name, () => {
  it.each<[string, string, string[]]>([
    [
      'English, with initials and numbers',
      'It cost $3.5 million. J. R. Smith of the U.S. Army paid, e.g. in May. Why? Nobody knows.',
      [
        'It cost $3.5 million.',
        'J. R. Smith of the U.S. Army paid, e.g. in May.',
        'Why? Nobody knows.',
      ],
    ],
    [
      'Korean',
      '탑의 높이는 330.5m로 알려져 있다. 2012년 12월 1일에 문을 열었다.',
      ['탑의 높이는 330.5m로 알려져 있다.', '2012년 12월 1일에 문을 열었다.'],
    ],
    [
      'Japanese and Chinese, which have no spaces',
      '塔の高さは三百三十メートルです。千九百年に建てられたと言われている。这座塔的高度是三百三十米左右。',
      [
        '塔の高さは三百三十メートルです。',
        '千九百年に建てられたと言われている。',
        '这座塔的高度是三百三十米左右。',
      ],
    ],
    [
      'a sentence before the mark of a footnote, and a short one after it',
      'Devices and sockets are not in the source package. 4\n\nIt is the end of the matter for all. Yes.',
      [
        'Devices and sockets are not in the source package.',
        '4',
        'It is the end of the matter for all. Yes.',
      ],
    ],
    [
      'rows of a table',
      'Name | Height\nTower. North | 330 m\nGate | 12 m',
      ['Name | Height', 'Tower. North | 330 m', 'Gate | 12 m'],
    ],
    [
      'items of a list, whatever their length',
      '- the first item is long and ends without any mark at all\n- second\n3) third item of the list',
      [
        '- the first item is long and ends without any mark at all',
        '- second',
        '3) third item of the list',
      ],
    ],
    [
      'lines that are wrapped within a sentence',
      'The tower of the city was built in the year\n1889 and is high. It is visited often.',
      [
        'The tower of the city was built in the year\n1889 and is high.',
        'It is visited often.',
      ],
    ],
  ])('has those of %s', (_, text, sentences) => {
    expect(split(text)).toEqual(sentences);
  });

  it('ends before a heading and after it', () => {
    const text =
      'The tower of the city was built in a year that\nhistory and all that came of it afterwards\nit is high.';
    const at = text.indexOf('history');
    expect(split(text, [at])).toEqual(text.split('\n'));
  });

  it.each([
    ['without a break', 'x'.repeat(30_000)],
    ['of pairs', `a${'😀'.repeat(5_000)}`],
    ['without spaces', '가'.repeat(30_000)],
    ['with spaces', 'word '.repeat(20_000)],
    ['of commas', 'a,'.repeat(10_000)],
    ['of white space', ' \n\t'.repeat(10_000)],
  ])('divides a page of one line %s, and loses nothing', (_, text) => {
    const sentences = split(text);
    for (const one of sentences) {
      expect(one.length).toBeLessThanOrEqual(MAX_SENTENCE);
      expect(one).toBe(one.trim().toWellFormed());
    }
    expect(sentences.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });
});
