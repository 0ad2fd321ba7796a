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

  it.each([
    ['a placeholder', 'Run sonde <command> to install <your_name>.'],
    ['a placeholder named like an element', 'cp <source> <target file>'],
    ['one at its beginning', '<title> comes first, <link rel> follows.'],
    ['code', 'Run `sonde <command>`; `std::vector<int>` holds `a\\<b`.'],
    ['generics', 'A List<T> of Map<String, Integer> or Set<List<String>>.'],
    ['comparisons', 'It holds if a < b and c > d, or x <y> z.'],
    ['an element', 'The <script> element runs, <br/> breaks a line.'],
    ['entities', 'Write &lt; and &amp; for < and &.'],
    ['an e-mail address', 'Write to <a@b.example>.'],
    ['a comment', 'A comment is <!-- like this -->.'],
  ])('keeps %s', (_, text) => {
    expect(plainSentence(text)).toBe(text);
  });

  it.each([
    ['an address in angle brackets', 'See <https://x.example/a>.', 'See.'],
    ['an image', 'A word. <img src=x onerror=alert(1)>', 'A word.'],
    [
      'a frame',
      'A <iframe src="https://x.example"></iframe>word',
      'A</iframe>word',
    ],
    ['a link in HTML', 'The <a href="//x.example">tower</a>', 'Thetower</a>'],
    ['a script', '<script src="//x.example">a()</script>', 'a()</script>'],
  ])('leads nowhere by %s', (_, text, plain) => {
    expect(plainSentence(text)).toBe(plain);
  });
});
