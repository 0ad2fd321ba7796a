import { plainSentence } from './clean-text';

describe(plainSentence.name, () => {
  it.each([
    ['a reference', 'It opened. ([source](https://x.example/a))', 'It opened.'],
    [
      'a link, but not its label',
      'The [tower](https://x.example) is high.',
      'The tower is high.',
    ],
    ['an address', 'It opened, see https://x.example/a', 'It opened, see'],
    ['signs of a list', '- 1. It opened.', 'It opened.'],
    ['line ends', 'It\nopened.\u2028', 'It opened.'],
  ])('is without %s', (_, text, plain) => {
    expect(plainSentence(text)).toBe(plain);
  });
});
