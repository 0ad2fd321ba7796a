import fc from 'fast-check';
import { fold } from './fold';
import { findQuote, FoldedPage } from './folded-page';

/** What one reader sees as the same text. */
const SAME: [string, string, string][] = [
  [
    'white space',
    'The lock\n   is renewed\u00a0every 30 seconds.',
    'lock is renewed every 30 seconds',
  ],
  ['case', 'The Lock Is Renewed.', 'the lock is renewed'],
  [
    'quotation marks',
    'It is called “the lock” by all.',
    'called "the lock" by all',
  ],
  [
    'hyphens',
    'A long‑running job – or two – waits.',
    'long-running job - or two - waits',
  ],
  [
    'zero-width characters',
    'A re\u200bnewed\ufeff lo\u00adck waits.',
    'renewed lock waits',
  ],
  ['ligatures', 'The e\ufb03cient ﬁle is open.', 'efficient file is open'],
  [
    'full-width forms',
    'Ｓａｌｅｓ　ｒｏｓｅ　１２％ in May.',
    'Sales rose 12% in May',
  ],
  [
    'decomposed Hangul',
    '훈민정음은 1446년에 반포되었다.'.normalize('NFD'),
    '훈민정음은 1446년에 반포되었다',
  ],
  [
    'composed Hangul',
    '훈민정음은 1446년에 반포되었다.',
    '훈민정음은 1446년에'.normalize('NFD'),
  ],
  ['combining marks', 'Le cafe\u0301 est ferme\u0301 ici.', 'café est fermé'],
  ['emoji before it', '🍜🍜 짜장면은 산둥에서 왔다.', '짜장면은 산둥에서 왔다'],
  ['emoji within it', 'We love 👩‍👩‍👧 families here.', 'love 👩‍👩‍👧 families'],
  ['Hebrew', 'הוא כתב ספר חדש אתמול.', 'כתב ספר חדש'],
  ['Japanese', '電車は毎日走っている。本当だ。', '毎日走っている。'],
  [
    'marks of the model around it',
    'The lock is renewed often.',
    '“The lock is renewed…”',
  ],
];
/** One digit, word or unit is another statement. */
const OTHER: [string, string, string][] = [
  ['another digit', 'Sales rose by 12 percent.', 'Sales rose by 13 percent.'],
  ['the end of a longer number', 'It costs 15% of sales.', '5% of sales.'],
  [
    'the beginning of a longer number',
    'Sales rose by 12345 in May',
    'Sales rose by 12',
  ],
  [
    'a number without its decimals',
    'Sales rose by 5.25 in May',
    'Sales rose by 5',
  ],
  [
    'a number without its groups',
    'There were 1,234 people there',
    '234 people there',
  ],
  ['a number without its scale', 'Sales rose by 5 million.', 'Sales rose by 5'],
  [
    'a number without its Korean scale',
    '매출이 모두 5천만 원이다.',
    '매출이 모두 5',
  ],
  [
    'a number without its percent sign',
    'Sales rose by 5% in May',
    'Sales rose by 5',
  ],
  ['a number without its sign', 'It was -5 degrees there.', '5 degrees there.'],
  [
    'a superscript as a digit',
    'There are 10² cells here.',
    'There are 102 cells here.',
  ],
  [
    'a circled digit as a digit',
    'See chapter ① for more.',
    'See chapter 1 for more.',
  ],
  [
    'a fraction as its digits',
    'Add 1½ cups of flour.',
    'Add 112 cups of flour.',
  ],
  ['the end of a word', 'He was unable to work.', 'able to work.'],
  [
    'the end of a Korean word',
    '복구는 전혀 불가능하다고 한다.',
    '가능하다고 한다.',
  ],
  [
    'the beginning of a Korean word',
    '그는 어제 공화국에 갔다.',
    '그는 어제 공화',
  ],
  [
    'a passage with a gap',
    'The lock is renewed by its owner.',
    'The lock … its owner.',
  ],
  ['an empty quote', 'The lock is renewed.', ' … '],
  ['a quote of a few letters', 'The lock is renewed.', 'The'],
];

describe(findQuote.name, () => {
  it.each(SAME)('finds it in spite of %s', (_, page, quote) => {
    const found = findQuote(page, quote);
    expect(found).toBeDefined();
    expect(page.slice(found?.start, found?.end)).toBe(found?.text);
    expect(fold(found?.text ?? '').text).toBe(
      fold(quote.replace(/[“…”]/g, '')).text,
    );
  });

  it.each(OTHER)('does not take it for %s', (_, page, quote) => {
    expect(findQuote(page, quote)).toBeUndefined();
  });

  it('goes on to a later place where the first is inside a word', () => {
    const page = 'unable to work. He is able to work.';
    expect(findQuote(page, 'able to work.')).toEqual({
      start: 22,
      end: 35,
      text: 'able to work.',
    });
  });

  it('cuts a long quote after its last whole sentence', () => {
    const sentence = 'The lock is renewed by its owner every thirty seconds. ';
    const found = findQuote(sentence.repeat(20), sentence.repeat(12));
    expect(found?.text).toBe(sentence.repeat(7).trim());
    expect(findQuote('word '.repeat(200), 'word '.repeat(150))).toBeUndefined();
    expect(findQuote(sentence.repeat(99), sentence.repeat(90))).toBeUndefined();
  });

  it('returns the page’s own text for any passage of any text', () => {
    const piece = fc.constantFrom(
      '한글',
      '각'.normalize('NFD'),
      ' ',
      '\n',
      '🍜',
      '👩‍👩‍👧',
      'e\u0301',
      '\u0301',
      'שלום',
      'مرحبا',
      '“',
      '—',
      '１２',
      '²',
      'Ａ',
      '\u200b',
      '\ufb03',
      '\ufdfa',
      'İ',
      'word',
      '7',
    );
    const text = fc.array(
      fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 3 })),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(text, text, text, (before, within, after) => {
        const wanted = `Quote ${within.join('')} end.`;
        const page = `${before.join('')} ${wanted} ${after.join('')}`;
        const found = findQuote(page, wanted);
        if (found === undefined)
          return expect(wanted).toMatch(/\d|.{300}|…|\.{3}|[“"']/su);
        expect(found.text).toBe(page.slice(found.start, found.end));
        expect(fold(found.text).text.trim()).toBe(fold(wanted).text.trim());
      }),
      { numRuns: 500 },
    );
  });

  it('never finds a number of which one digit was changed', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(9),
        fc.integer({ min: 1, max: 9 }),
        (number, pick, by) => {
          const digits = String(number);
          const at = pick % digits.length;
          const altered =
            digits.slice(0, at) +
            ((Number(digits[at]) + by) % 10) +
            digits.slice(at + 1);
          expect(
            findQuote(
              `The total was ${digits} units in May.`,
              `total was ${altered} units`,
            ),
          ).toBeUndefined();
        },
      ),
    );
  });
});

describe(FoldedPage.name, () => {
  it('folds a page once, and each of its characters at most once', () => {
    const page = 'Größe der Café-Häuser, 훈민정음 '.repeat(20_000);
    const normalize = jest.spyOn(String.prototype, 'normalize');
    try {
      const folded = new FoldedPage(page);
      const once = normalize.mock.calls.length;
      expect(once).toBeLessThan(20);
      for (let n = 0; n < 50; n += 1) folded.findQuote(`not on this page ${n}`);
      expect(normalize.mock.calls.length).toBe(once);
    } finally {
      normalize.mockRestore();
    }
  });

  it.each([
    ['marks on one letter', `a${'\u0301'.repeat(1_000_000)}`],
    ['letters that fold to many', '\ufdfa'.repeat(100_000)],
    ['white space', ' \u3000'.repeat(500_000)],
    ['one letter', 'a'.repeat(3_000_000)],
    ['finals of Hangul', '\u11a8'.repeat(500_000)],
    ['lone surrogates', '\ud83c'.repeat(500_000)],
  ])('takes a page of nothing but %s', (_, page) => {
    const folded = new FoldedPage(page);
    expect(folded.findQuote('a quote that is not there')).toBeUndefined();
    expect(folded.findQuote(`b${'a'.repeat(390)}`)).toBeUndefined();
  });
});
