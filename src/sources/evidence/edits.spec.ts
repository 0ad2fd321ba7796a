import fc from 'fast-check';
import { bind } from './binding';
import { EditSearch, MAX_CELLS, type EditFault } from './edits';

const verdictOf = (sentence: string, quote: string): string =>
  bind(sentence, [{ id: 'n1', claim: '', quote }]).verdict;

const editFault = (sentence: string, quote: string): EditFault | undefined =>
  new EditSearch(sentence).faultIn(quote);

const QUOTES = [
  'Packages must work with every init system, not just with systemd, and without a network.',
  'The script is called whether or not the files have been changed by the administrator.',
  'Programs may create directories below /usr/local, not in /usr/local, during installation.',
  'The package libfoo12 was removed because libfoo13 supersedes it in every release.',
  'A patch is applied with -p0, -p1, or -p2 and no other changes are made.',
  'The daemon will not run at boot unless a particular package is present on the system.',
  'This page tells how to post and how not to post to the list of users.',
  '그 서버는 끊임없이 요청을 받고 2023년에도 1,200개의 응답을 보냈다.',
];

describe(EditSearch.name, () => {
  it.each<[string, string, string]>([
    [
      'not just',
      'Packages must work with every init system, just with systemd, and without a network.',
      QUOTES[0],
    ],
    [
      'whether or not',
      'The script is called whether or the files have been changed by the administrator.',
      QUOTES[1],
    ],
    [
      'below, not in',
      'Programs may create directories below /usr/local, in /usr/local, during installation.',
      QUOTES[2],
    ],
    [
      'no other',
      'A patch is applied with -p0, -p1, or -p2 and a other changes are made.',
      QUOTES[4],
    ],
    [
      'unless and if',
      'The daemon will not run at boot if a particular package is present on the system.',
      QUOTES[5],
    ],
    [
      'how not to',
      'This page tells how to post and how to post to the list of users.',
      QUOTES[6],
    ],
    [
      'an adverb in Korean',
      '그 서버는 끊임있이 요청을 받고 2023년에도 1,200개의 응답을 보냈다.',
      QUOTES[7],
    ],
  ])('finds the change of %s', (_, sentence, quote) => {
    expect(editFault(sentence, quote)?.fault).toBe('polarity_differs');
    expect(verdictOf(sentence, quote)).not.toBe('quote_matched');
  });

  it.each<[string, string]>([
    [
      'The package libfoo13 was removed because libfoo13 supersedes it in every release.',
      QUOTES[3],
    ],
    [
      'libfoo13 was removed because libfoo13 supersedes it.',
      'libfoo12 was removed because libfoo13 supersedes it.',
    ],
    [
      'A patch is applied with -p1, -p1, or -p2 and no other changes are made.',
      QUOTES[4],
    ],
  ])(
    'finds another number of the quote in its place: %s',
    (sentence, quote) => {
      expect(editFault(sentence, quote)?.fault).toBe('number_differs');
      expect(verdictOf(sentence, quote)).not.toBe('quote_matched');
    },
  );

  it.each<[string, string]>([
    [
      'The script is called whether the files have been changed by the administrator.',
      QUOTES[1],
    ],
    [
      "The daemon won't run at boot unless a particular package is present on the system.",
      QUOTES[5],
    ],
    [
      'It is impossible to change the files of the package here.',
      'It is not possible to change the files of the package here.',
    ],
    [
      'Packages may not contain such files in the directory.',
      'No packages may contain such files in the directory.',
    ],
    [
      'The server answers 1200 requests within a second here.',
      'The server answers 1,200 requests within a second here.',
    ],
    [
      'The file x must exist in the directory.',
      'The file (not x) x must exist in the directory.',
    ],
    [
      'Versions 2.1 and 2.2 support the new format of files.',
      'Versions 2.0, 2.1 and 2.2 support the new format of files.',
    ],
  ])('has nothing against %s', (sentence, quote) => {
    expect(editFault(sentence, quote)).toBeUndefined();
  });

  it('has nothing against a part of the quote, in any form of its characters', () => {
    const quote = fc.constantFrom(...QUOTES);
    const form = fc.constantFrom<(text: string) => string>(
      (text) => text.normalize('NFD'),
      (text) => text.replaceAll(' ', '\u00a0\n '),
      (text) => text.toUpperCase(),
      (text) => text.replaceAll(' ', ' \u200b'),
    );
    fc.assert(
      fc.property(
        quote,
        form,
        fc.nat(6),
        fc.nat(6),
        (given, as, left, right) => {
          const words = given.split(' ');
          const part = words.slice(left, words.length - right).join(' ');
          expect(editFault(as(part), given)).toBeUndefined();
          expect(editFault(part, as(given))).toBeUndefined();
        },
      ),
    );
  });

  it('finds a negation that was left out anywhere, beside as many other edits as are few', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 60 }),
        fc.nat(),
        fc.nat(),
        (size, pick, other) => {
          const words = Array.from(
            { length: size },
            (_, at) => `w${'x'.repeat(at)}`,
          );
          const at = 2 + (pick % (size - 4));
          const quote = [
            'Before it all is other.',
            ...words.slice(0, at),
            'not',
            ...words.slice(at),
            'And more.',
          ];
          const edits = Math.floor(size / 5) - 1;
          const edited = words.map((word, index) =>
            index >= 2 && index < size - 2 && (index + other) % size < edits
              ? 'another'
              : word,
          );
          expect(editFault(edited.join(' '), quote.join(' '))?.fault).toBe(
            'polarity_differs',
          );
          expect(editFault(edited.join(' '), words.join(' '))).toBeUndefined();
        },
      ),
    );
  });

  it('has nothing against a parenthesis that was left out', () => {
    const inner = fc.constantFrom(
      'see section 7',
      'not here',
      'if any, in 2024',
      'never without 12',
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...QUOTES),
        inner,
        fc.nat(),
        (given, note, pick) => {
          const words = given.split(' ');
          words.splice(1 + (pick % (words.length - 1)), 0, `(${note})`);
          expect(editFault(given, words.join(' '))).toBeUndefined();
        },
      ),
    );
  });

  it.each<[string, string, string]>([
    ['of few words, all alike', 'a b a a b c a b b a ', 'a b b a c a b a '],
    ['of numbers', '1 2 1 1 ', '1 2 3 '],
    ['of negations', 'not no a never ', 'no not a no '],
    ['of opposites', 'if unless if a ', 'unless if a '],
  ])('has a bound on the work for 24 quotes %s', (_, stated, quoted) => {
    for (const length of [400, 2_000]) {
      const quote = quoted.repeat(1_000).slice(0, length);
      for (const size of [240, length - 1, 1_999]) {
        const edits = new EditSearch(stated.repeat(1_000).slice(0, size));
        const faults = Array.from({ length: 24 }, () => edits.faultIn(quote));
        expect(faults).toHaveLength(24);
        expect(edits.work.cells).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('computes some hundreds of cells for an ordinary quote', () => {
    const edits = new EditSearch(QUOTES[2].replace('not in', 'in'));
    expect(edits.faultIn(QUOTES.slice(0, 7).join(' '))?.fault).toBe(
      'polarity_differs',
    );
    expect(MAX_CELLS - edits.work.cells).toBeLessThan(1_000);
  });

  it('takes no quote as evidence for which no work is left', () => {
    const quote = `The package ${'a file '.repeat(110)} is not new.`;
    const sentence = `The package ${'a file '.repeat(100)} is not new.`;
    const cited = Array.from({ length: 24 }, (_, at) => ({
      id: `n${at}`,
      claim: '',
      quote,
    }));
    expect(bind(sentence, cited.slice(0, 2)).noteIds).toEqual(['n0', 'n1']);
    expect(bind(sentence, cited)).toEqual(bind(sentence, cited.slice(0, 12)));
  });

  it('never fails, whatever comes in', () => {
    const text = fc
      .array(
        fc.constantFrom(
          'not',
          'no',
          '1',
          '2',
          'if',
          'unless',
          'a',
          '없',
          '있',
          '(',
          '\u0301',
        ),
        { maxLength: 200 },
      )
      .map((all) => all.join(' '));
    fc.assert(
      fc.property(text, text, (sentence, quote) => {
        expect(editFault(sentence, sentence)).toBeUndefined();
        expect(editFault(sentence, quote)?.fault ?? 'number_differs').toMatch(
          /_differs$/,
        );
      }),
      { numRuns: 50 },
    );
  });
});
