import fc from 'fast-check';
import { passagesOf } from './document-passages';

const solid = (text: string): string => text.replace(/\s/g, '');
const sentence = 'Water is wet and cold. ';

describe(passagesOf.name, () => {
  it('keeps a short text whole', () => {
    expect([...passagesOf('  One.\n\nTwo.\n')]).toEqual(['One.\n\nTwo.']);
    expect([...passagesOf(' \n ')]).toEqual([]);
  });

  it.each([
    ['before a heading', `\n\n## Two\n\n${sentence}\n\n`, '## Two'],
    ['after a paragraph', `\n\nTwo ${sentence}\n`, 'Two'],
    ['after a line', '\nTwo: ', 'Two'],
  ])('cuts %s', (_where, seam, beginning) => {
    const text = sentence.repeat(40) + seam + sentence.repeat(40);
    const [first, second] = passagesOf(text);
    expect(first).toBe(sentence.repeat(40).trim());
    expect(second).toMatch(new RegExp(`^${beginning}`));
  });

  it('splits a long paragraph after a sentence, in Korean too', () => {
    for (const text of [sentence, '물은 차갑습니다. ', '水很冷。']) {
      for (const passage of passagesOf(text.repeat(500)))
        expect(passage).toMatch(/[.。]$/);
    }
  });

  it('never splits a character', () => {
    const text = `x${'😀'.repeat(2_000)}`;
    for (const passage of passagesOf(text))
      expect(passage.isWellFormed()).toBe(true);
  });

  it('loses only white space of any text, within the length limit', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.constantFrom('\n', '\n\n', ' ', '. ', '\n# ', '다. ', '  \n \n'),
      fc.nat(3_000).map((length) => 'a'.repeat(length)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const text = pieces.join('');
        const passages = [...passagesOf(text)];
        expect(solid(passages.join(''))).toBe(solid(text));
        for (const passage of passages) {
          expect(passage.length).toBeGreaterThan(0);
          expect(passage.length).toBeLessThanOrEqual(1_500);
        }
      }),
    );
  });
});
