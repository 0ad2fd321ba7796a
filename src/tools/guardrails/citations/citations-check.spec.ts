import { citationsCheck } from './citations-check';
import type { GuardrailContext } from '../guardrail';
import { Tripwire } from '../tripwire';

const CONSULTED = [
  'https://good.example/a',
  'https://good.example/a?id=7&lang=ko',
  'https://good.example/(b)',
  'https://ko.wikipedia.org/wiki/짜장면',
  'http://plain.example:80',
  'www.good.example/w',
];
const contextOf = (...urls: string[]) =>
  ({ consulted: new Set(urls) }) as unknown as GuardrailContext;
const context = contextOf(...CONSULTED);
const redacted = (text: string) => citationsCheck('redact')(text, context);

describe(citationsCheck.name, () => {
  it.each([
    'No link at all, [brackets], (and) ](these) [ ![',
    'See https://good.example/a.',
    '(see https://good.example/a) "https://good.example/a" <https://good.example/a>',
    '**https://good.example/a**, `https://good.example/a`',
    '[Good](https://good.example/a), [Good](<https://good.example/a> "Title")',
    'HTTPS://GOOD.example/a/ https://good.example/a/#:~:text=x',
    'https://good.example/a?utm_source=openai https://good.example/a/?utm_source=openai#:~:text=x',
    '[a](https://good.example/a?id=7&amp;lang=ko) [a](<https://good.example/a?id=7&utm_source=openai&lang=ko>)',
    'https://good.example/a?id=7&amp;lang=ko',
    '[b](https://good.example/(b)) https://good.example/(b) (https://good.example/(b))',
    'https://good.example/a에서, https://good.example/a입니다. https://good.example/a。',
    'https://ko.wikipedia.org/wiki/짜장면 https://ko.wikipedia.org/wiki/짜장면에서는',
    'https://ko.wikipedia.org/wiki/%EC%A7%9C%EC%9e%a5%EB%A9%B4',
    '[짜장면](https://ko.wikipedia.org/wiki/짜장면)은',
    'http://plain.example/ www.good.example/w https://www.good.example/w',
    '[up](#top) [next](../b.md) [root](/a?b=c) [mail](mailto:a@b.io) [call](tel:+8210) [none]()',
    '![chart](https://good.example/a)',
    '[a][1]\n\n[1]: https://good.example/a "Title"\n[2]: <https://good.example/a>',
    '[Note]: something, [Time]: 10:30\n[Key]: a:b\n[rel]: ./x',
    'In the middle of a line [1]: //bad.example is nothing',
    'user@good.example, node://x, ws://x',
    '> - [a](https://good.example/a)\n>   and [b][1]\n\n> [1]: https://good.example/a "T"',
    '<details open>\n<summary>More</summary>\n\n| a |\n\n</details><br/>H<sub>2</sub>O <!-- note -->',
    '<td align="center" colspan=2>1 < 2 && 3 > 2</td>',
    'Raw: <a href="https://good.example/a">a</a>',
    '`[a](//bad.example)` and\n\n    [a](//bad.example)\n\n```\n<img src="//bad.example">\n```',
    '# Heading\n\n| a | [b](https://good.example/a) |\n|---|---|\n\n* * *\n1) x',
    '[a]\n\n[a]: https://good.example/a\n[a]: //never.rendered.example',
    'A line\r\nand another one\r',
  ])('lets pass %j', (text) => {
    expect(redacted(text)).toBe(text);
    expect(citationsCheck('refuse')(text, context)).toBe(text);
  });

  it.each<[given: string, left: string]>([
    ['See https://bad.example/x.', 'See [link removed].'],
    ['(see https://bad.example/x)', '(see [link removed])'],
    ['<https://bad.example/x>', '[link removed]'],
    ['**http://bad.example**', '**[link removed]**'],
    ['https://bad.example/x에서 봤다', '[link removed]에서 봤다'],
    ['https://bad.example/짜장면 맛', '[link removed] 맛'],
    ['www.bad.example ftp://bad.example/x', '[link removed] [link removed]'],
    ['[Bad *one*](https://bad.example/x "T")!', 'Bad *one*!'],
    ['[Bad](<https://bad.example/a b>)', 'Bad'],
    ['[](https://bad.example)', '[link removed]'],
    ['![chart](https://bad.example/?q=1)', 'chart'],
    ['![](https://bad.example/?q=1)', '[link removed]'],
    ['[b](https://bad.example/(b)(c))', 'b'],
    ['([1](https://bad.example/1))', '(1)'],
    ['[[1]](https://bad.example/1)', '[1]'],
    [
      '[![logo](https://bad.example/l)](https://good.example/a)',
      '[logo](https://good.example/a)',
    ],
    [
      '[![logo](https://good.example/a)](https://bad.example/l)',
      '![logo](https://good.example/a)',
    ],
    ['[a](https://bad.example)(https://bad.example)', 'a([link removed])'],
    [
      '[a [b](https://bad.example/1) c](https://bad.example/2)',
      '[a b c]([link removed])',
    ],
    [
      '[https://bad.example/x](https://good.example/a)',
      '[[link removed]](https://good.example/a)',
    ],
    [
      '[https://good.example/a](https://bad.example/x)',
      'https://good.example/a',
    ],
    [
      '[a](https://good.example/a "https://bad.example")',
      '[a](https://good.example/a "[link removed]")',
    ],
    ['[a](https://bad.example/a b)', '[a]([link removed] b)'],
    ['[a][1]\n\n[1]: https://bad.example/x "T"', 'a\n\n[link removed]'],
    ['[1]: <https://bad.example/x>', '[link removed]'],
    ['[1]: //bad.example/x', '[link removed]'],
    ['<a href="https://bad.example/x">a</a>', '[link removed]a</a>'],

    // Data in the parts of an address that no page needs
    ['![a](https://good.example/a?utm_term=SECRET)', 'a'],
    ['![](https://good.example/a?utm_source=SECRET)', '[link removed]'],
    ['https://good.example/a#SECRET', '[link removed]'],
    ['[a](https://good.example/a?utm_source=openai&x=SECRET)', 'a'],
    ['[a](https://good.example/a#x:~:text=SECRET)', 'a'],

    // Forms that only a parser of Markdown reads
    ['![a]\n\n[a]: https\\://bad.example/?q=1', 'a\n\n[link removed]'],
    [
      '![a][]\n\n> [a]: h&#116;tps&colon;//bad.example',
      'a\n\n> [link removed]',
    ],
    ['[a]: <//bad.example/x>\n  "title"', '[link removed]'],
    ['[a](//bad.example "a \\" title")', 'a'],
    ["[a](//bad.example 'a \\' title')", 'a'],
    ['[a](//bad.example (a \\) title))', 'a'],
    ['[a\nb](//bad.example\n"title")', 'a\nb'],
    ['[`]`a](//bad.example)', '`]`a'],
    [
      '- x\n  1. [a](//bad.example) y\n\t> z ![b](//bad.example)',
      '- x\n  1. a y\n\t> z b',
    ],
    ['## [a](//bad.example) ##', '## a ##'],
    ['[a](//bad.example)\n===', 'a\n==='],
    ['<mailto:a@b.io> <HTTPS:bad.example>', '<mailto:a@b.io> [link removed]'],

    // Raw HTML
    ['a <img src="//bad.example/?q=1"> b', 'a [link removed] b'],
    ['<img\nsrc=//bad.example>', '[link removed]'],
    ['<div>\n<IMG SRC=//bad.example\n\n>', '<div>\n[link removed]'],
    ['<p style="background:url(//bad.example)">a</p>', '[link removed]a</p>'],
    [
      '<style>@import "//bad.example"</style>',
      '[link removed]@import "//bad.example"[link removed]',
    ],
    [
      '<b onclick="x">a</b> <svg onload=x>',
      '[link removed]a</b> [link removed]',
    ],
    ['<p title="javascript:x">a</p>', '[link removed]a</p>'],
    ['<a href="https://good.example/a?q=1">a</a>', '[link removed]a</a>'],
    [
      '<a href="https://good.example/a" ping="//bad.example">a</a>',
      '[link removed]a</a>',
    ],
    ['<!--> <img src=//bad.example> -->', '[link removed] [link removed] -->'],
    ['<?php x ?> <!DOCTYPE x>', '[link removed] [link removed]'],

    // Another page of a site that was consulted, or another site that looks like it
    ['https://good.example/', '[link removed]'],
    ['https://good.example/a/b', '[link removed]'],
    ['https://good.example/a?id=8&lang=ko', '[link removed]'],
    [
      'https://good.example/A http://good.example/a',
      '[link removed] [link removed]',
    ],
    ['https://good.example:8080/a', '[link removed]'],
    ['https://good.example@bad.example/a', '[link removed]'],
    ['https://good.example.bad.example/a', '[link removed]'],
    ['https://ko.wikipedia.org/wiki/짬뽕', '[link removed]'],
    ['https://ko.wikipedia.org/wiki/짜장면가게', '[link removed]'],

    // Addresses that do not look like any
    ['[a](//bad.example/x)', 'a'],
    ['[a](/\\bad.example/x)', 'a'],
    ['[a](https:bad.example)', 'a'],
    ['[a](&#104;ttps://bad.example)', 'a'],
    ['[a](&#x68;ttps&colon;&sol;/bad.example)', 'a'],
    ['[a](https\\://bad.example)', 'a'],
    ['[a](www.bad.example)', 'a'],
    ['[a](javascript:x)', 'a'],
    ['[a](  https://bad.example\n)', 'a'],
    ['\\[a](https://bad.example/x)', '\\[a]([link removed])'],
  ])('leaves nothing of the link in %j', (given, left) => {
    expect(redacted(given)).toBe(left);
    const refuse = () => citationsCheck('refuse')(given, context);
    expect(refuse).toThrow(Tripwire);
  });

  it('gives the reason for a refusal, and quotes nothing', () => {
    try {
      void citationsCheck('refuse')('https://bad.example', context);
    } catch (tripwire) {
      expect((tripwire as Tripwire).safeText).toBe(
        'The answer cited a source that was not consulted.',
      );
      return;
    }
    throw new Error('was not refused');
  });

  it('removes every link if no page was consulted', () => {
    const check = citationsCheck('redact');
    const text = '[a](https://good.example/a) and [b](#b)';
    expect(check(text, contextOf())).toBe('a and [b](#b)');
    expect(check(text, contextOf('no url'))).toBe('a and [b](#b)');
  });

  it.each([
    '[',
    '[](',
    '[](a(',
    '[a](<',
    '[a](x "',
    '![a](b ',
    'https://(',
    'www.a',
    '<a ',
    '<!--',
    '`a`` ',
    '*a _b ',
    '[a]: <b\n',
    '[a](b) \n',
    '- [a\n',
  ])('comes to an end with a hundred thousand characters of %j', (piece) => {
    const text = piece.repeat(100_000 / piece.length);
    expect(typeof redacted(text)).toBe('string');
  });

  it('removes a text that is nested too deep to be parsed', () => {
    const deep = `${'> '.repeat(120)}[a](//bad.example)`;
    expect(redacted(`a\n\n${deep}`)).toBe('[link removed]');
  });
});
