import { endBeforeLoop, LoopWatch } from './repetition';

const PROSE = Array.from({ length: 900 }, (_, at) => `Fact ${at} is so. `).join(
  '',
);

describe(endBeforeLoop.name, () => {
  it.each([
    ['a word', 'no '],
    ['a character', '가'],
    ['a sentence', 'The answer is that the answer is the answer. '],
    ['a passage', PROSE.slice(0, 900)],
    ['a passage with lines', '- 김치는 발효 음식이다.\n\n'],
  ])(
    'cuts a text that ends in the loop of %s after its second time',
    (_, unit) => {
      const text = `Well. ${unit.repeat(Math.ceil(9_000 / unit.length))}`;
      for (const end of [0, 1, 2].map((less) =>
        text.slice(0, text.length - less),
      )) {
        const at = endBeforeLoop(end) ?? Infinity;
        expect(at).toBeLessThan(end.length - 1_000);
        expect(end.slice(0, at)).toContain(unit);
      }
    },
  );

  it.each([
    ['nothing', ''],
    ['prose', PROSE],
    ['a rule', `A.\n${'-'.repeat(200)}\nB.`],
    ['a loop that has ended', `${'no '.repeat(800)}\nThat is all: ${PROSE}`],
    [
      'a table',
      Array.from({ length: 300 }, (_, at) => `| ${at} | ${at * 7} |\n`).join(
        '',
      ),
    ],
    ['few times', PROSE.slice(0, 1_500).repeat(3)],
  ])('lets %s be', (_, text) => {
    expect(endBeforeLoop(text)).toBeUndefined();
  });
});

describe(LoopWatch.name, () => {
  it('notices a loop within a few thousand characters, whatever its pieces', () => {
    for (const size of [1, 7, 400, 3_000]) {
      const watch = new LoopWatch();
      let read = 0;
      const text = PROSE + 'and so on '.repeat(2_000);
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
      const at = pieces.findIndex((piece) => {
        read += piece.length;
        return watch.add(piece);
      });
      expect(at).toBeGreaterThan(0);
      expect(read - PROSE.length).toBeLessThan(6_000);
    }
  });
});
