import { AnswerFilter } from './answer.filter';

const filtered = (pieces: string[]): string => {
  const filter = new AnswerFilter();
  return [...pieces.map((piece) => filter.take(piece)), filter.end()].join('');
};

describe(AnswerFilter.name, () => {
  it.each([
    ['<think>Hm.</think>\n\nThe answer.', 'The answer.'],
    ['\n<think></think>The answer.', 'The answer.'],
    ['The <think>b</think> answer.', 'The <think>b</think> answer.'],
    ['<thin', '<thin'],
    ['<thinking>', '<thinking>'],
    ['<think>never ends', ''],
    ['', ''],
    [' ', ' '],
  ])('reads %j as the answer %j, however it is cut', (text, answer) => {
    for (let size = 1; size <= text.length + 1; size += 1) {
      const pieces = Array.from(
        { length: Math.ceil(text.length / size) },
        (_, n) => text.slice(n * size, (n + 1) * size),
      );
      expect(filtered(pieces)).toBe(answer);
    }
  });

  it('emits an answer as it comes', () => {
    const filter = new AnswerFilter();
    expect(filter.take('<')).toBe('');
    expect(filter.take('b>')).toBe('<b>');
    expect(filter.take('x')).toBe('x');
  });
});
