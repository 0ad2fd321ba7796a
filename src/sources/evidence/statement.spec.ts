import { isSameWord, statementOf, type Word } from './statement';

const words = (text: string): string[] =>
  statementOf(text).words.map((word) => word.text);
const names = (text: string): string[] =>
  statementOf(text)
    .words.filter(({ isName }) => isName)
    .map((word) => word.text);

/** Whether the last words of two sentences are the same. */
function isSame(left: string, right: string): boolean {
  const last = (text: string): Word | undefined =>
    statementOf(text).words.at(-1);
  const [one, other] = [last(left), last(right)];
  return one !== undefined && other !== undefined && isSameWord(one, other);
}

describe(statementOf.name, () => {
  it.each<[string, string[]]>([
    ['The lock is renewed by its owner.', ['lock', 'renewed', 'owner']],
    [
      'A full-time job in the U.S. market',
      ['full', 'time', 'job', 'US', 'market'],
    ],
    ['GPT-4 needs node.js', ['GPT-4', 'needs', 'node.js']],
    ['SQLite는 2000년에 공개되었다.', ['SQLite', '공개되었다']],
  ])('takes the words that can be compared from %s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['It was written by Richard Hipp at IBM.', ['Richard', 'Hipp', 'IBM']],
    ['Sales rose in iPhone markets.', ['iPhone']],
    ['이 회사는 SQLite와 GPT-4를 쓴다.', ['SQLite', 'GPT-4']],
    ['Sales rose.', []],
  ])('takes the names from %s', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it('reads decomposed Hangul like composed', () => {
    const text = '훈민정음은 1446년에 반포되었다.';
    expect(statementOf(text.normalize('NFD'))).toEqual(statementOf(text));
  });

  it('separates clauses, and counts negations in each', () => {
    const { negations } = statementOf(
      'The lock is not renewed, but the lease never ends and work goes on.',
    );
    expect(negations).toEqual([1, 1, 0]);
  });
});

describe(isSameWord.name, () => {
  it.each([
    ['it was released', 'a release'],
    ['it produces', 'the production'],
    ['cities', 'city'],
    ['it is running', 'to run'],
    ['it grew', 'an increase'],
    ['Koreans', 'Korean'],
    ['그것을 설립했다', '그것의 설립'],
    ['서울에서는', '서울'],
    ['그것을 만든', '그것을 만들었다'],
    ['값이 증가했다', '값이 늘었다'],
    ['값이 증가했다', 'the value rose'],
  ])('takes the last words of %j and %j for one', (left, right) => {
    expect(isSame(left, right)).toBe(true);
  });

  it.each([
    ['it is careful', 'it is careless'],
    ['costs', 'sales'],
    ['it rose', 'it fell'],
    ['공화춘', '공화국'],
    ['서울', '부산'],
    ['the GPT-4', 'the GPT-3'],
    ['it is possible', 'it is impossible'],
  ])('does not take the last words of %j and %j for one', (left, right) => {
    expect(isSame(left, right)).toBe(false);
  });
});
