import fc from 'fast-check';
import { termsOf } from './search-terms';

describe(termsOf.name, () => {
  it.each([
    ['Crème BRÛLÉE', ['creme', 'brulee']],
    ['ＡＰＩ ﬁle', ['api', 'file']],
    [
      'keys queries classes status redis',
      ['key', 'query', 'classe', 'status', 'redis'],
    ],
    ["the king's don't l'amour", ['king', 'dont', 'l', 'amour']],
    ['get_current_datetime(v2)', ['get', 'current', 'datetime', 'v2']],
    ['2024년', ['2024', '년']],
  ])('folds %s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('splits a Korean word, with and without its particle', () => {
    expect(termsOf('짜장면은')).toEqual(['짜장면은', '짜장면', '짜장', '장면']);
    expect(termsOf('집에서')).toEqual(['집에서', '집']);
    expect(termsOf('회의')).toEqual(['회의', '회']);
    expect(termsOf('쌀')).toEqual(['쌀']);
  });

  it('treats decomposed Korean as the same', () => {
    expect(termsOf('한글'.normalize('NFD'))).toEqual(termsOf('한글'));
  });

  it('splits Chinese and Japanese into pairs of characters', () => {
    expect(termsOf('東京タワー')).toEqual(['東京', '京タ', 'タワ', 'ワー']);
    expect(termsOf('茶')).toEqual(['茶']);
  });

  it('separates scripts that are written without a space', () => {
    expect(termsOf('Redis클러스터')).toEqual([
      'redis',
      '클러스터',
      '클러',
      '러스',
      '스터',
    ]);
  });

  it('leaves out stop words', () => {
    expect(termsOf('What is the, and of it? 그리고 이 것에 대해')).toEqual([
      '것에',
      '것',
    ]);
  });

  it('never throws, and produces no blank or unlimited term', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const term of termsOf(text)) expect(term).toMatch(/^\S{1,64}$/u);
      }),
    );
    expect(termsOf('x'.repeat(100_000))).toEqual(['x'.repeat(64)]);
  });
});
