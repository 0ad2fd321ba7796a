import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { reportOf } from '../../test/support/report/reports';
import type { Format } from './formats';
import { parseReport } from './parse/parse';
import { renderReport } from './render';
import type { ReportDocument, ReportInput } from './report.types';

const text = async (format: Format, input: ReportInput): Promise<string> =>
  Buffer.from((await renderReport({ format, input })).bytes).toString();

const LINK = '([A page](https://a.example/page))';
const KOREAN = `# 김치의 역사

**결론.**은 분명합니다 ${LINK}. 🥬 다음 문장 (그림 1).

| 해 | 내용 |
|---|---:|
| 1766 | 고추 ${LINK} |

- 하나
  1. 둘
`;

describe('a report', () => {
  it('has numbered marks in place of links to what it cites', () => {
    const { title, blocks, citations, language } = parseReport(
      reportOf(KOREAN, [
        { at: LINK, quote: '"배추" <b>', verdict: 'quote_matched' },
        { at: '고추', url: 'document:1', title: '' },
      ]),
    );
    expect({ title, language }).toEqual({
      title: '김치의 역사',
      language: 'ko',
    });
    expect(blocks[0]).toEqual({
      type: 'paragraph',
      content: [
        { type: 'text', text: '결론.', bold: true },
        { type: 'text', text: '은 분명합니다 ' },
        { type: 'citation', number: 1 },
        { type: 'text', text: '. 🥬 다음 문장 (그림 1).' },
      ],
    });
    expect(blocks[1]).toMatchObject({
      align: [null, 'right'],
      rows: [
        [[{ text: '해' }], [{ text: '내용' }]],
        [
          [{ text: '1766' }],
          [
            { text: '고추' },
            { number: 2 },
            { text: ' (' },
            { text: 'A page', href: 'https://a.example/page' },
            { text: ')' },
          ],
        ],
      ],
    });
    expect(blocks[2]).toMatchObject({
      items: [[{ type: 'paragraph' }, { type: 'list', start: 1 }]],
    });
    expect(citations).toMatchObject([
      { number: 1, quote: '"배추" <b>', verdict: 'quote_matched' },
      { number: 2, url: 'document:1', href: null, title: 'document:1' },
    ]);
  });

  it('has the numbers of citations in place of the marks of the text, at the sentences, and one list of sources', () => {
    const written =
      'It is old. It is high. [1], [2] It is red.\n\n| Of | a |\n| --- | --- |\n| Age | old \\| new [1] |\n\n## Sources\n\n- [1] A page, a.example, read 2026-11-25\n- [2] B, b.example, read 2026-11-25\n\n[1]: https://a.example/page\n[2]: https://b.example/';
    const B = { url: 'https://b.example/', title: 'B' };
    const given = [
      ['It is old.', '[1]', {}],
      ['It is high.', '[1]', { quote: 'High.' }],
      ['It is high.', '[2]', B],
      ['old \\| new', '[1] |', {}],
    ] as const;
    const { citations } = reportOf(
      written,
      given.map(([sentence, mark, more]) => {
        const start = Array.from(written.slice(0, written.indexOf(sentence)));
        const sentence_start = start.length;
        const sentence_end = sentence_start + Array.from(sentence).length;
        return { at: mark.slice(0, 3), sentence_start, sentence_end, ...more };
      }),
    );
    const inCell = written.indexOf('[1] |');
    Object.assign(citations[3], { start_index: inCell, end_index: inCell + 3 });
    const { blocks, citations: listed } = parseReport({
      ...reportOf(written),
      citations,
    });
    expect(blocks).toHaveLength(2);
    expect(blocks).toMatchObject([
      {
        content: [
          { text: 'It is old.' },
          { number: 1 },
          { text: ' It is high.' },
          { number: 2 },
          { number: 3 },
          { text: ' It is red.' },
        ],
      },
      {
        rows: [{}, [[{ text: 'Age' }], [{ text: 'old | new' }, { number: 1 }]]],
      },
    ]);
    expect(listed.map(({ url }) => url)).toEqual([
      'https://a.example/page',
      'https://a.example/page',
      'https://b.example/',
    ]);
  });

  it.each([
    ['a fence', 'Text.\n\n```\ncode\n```', '```\ncode\n```'],
    ['a heading', 'Text.\n\n# Head\n', 'Text.\n\n#'],
    ['a row', '| a | b |\n|---|---|\n| c | d |\n\nText', '| c | d |\n'],
    ['the dividers of a table', '| a |\n|---|\n| c |', '| a |\n|---|'],
    ['the address of a link', '[a](https://b.example/) and', '[a](https://b.'],
    ['code', 'Some `code` here', 'Some `co'],
    ['nothing', '\n\n***\n', '\n\n**'],
  ])('is read as without citations where one ends in %s', (_, text, at) => {
    const marked = parseReport(reportOf(text, [{ at }]));
    const bare = parseReport(reportOf(text));
    expect(wordsOf(marked)).toEqual(wordsOf(bare));
    expect(numbersOf(marked)).toEqual([1]);
  });

  it('keeps every citation, whatever its offsets and the text are', async () => {
    const piece = fc.constantFrom(
      '**',
      '`',
      '\n',
      '| a |',
      '\n|--|\n',
      '[x](',
      'https://a.example/page',
      ')',
      '<b>',
      '⸨7⸩',
      '```\n',
      '김치',
      '🥬',
      '\u0000',
      '\ud800',
      '> ',
      '- ',
      'word ',
      '\\',
    );
    const markdown = fc
      .array(piece, { maxLength: 40 })
      .map((all) => all.join(''));
    const offset = fc.integer({ min: -5, max: 200 });
    const citation = fc.record({
      url: fc.constantFrom('https://a.example/page', 'javascript:x', '문서'),
      title: fc.string({ unit: 'binary' }),
      start_index: offset,
      end_index: offset,
    });
    const citations = fc.array(citation, { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(markdown, citations, async (written, given) => {
        const input = { ...reportOf(written), citations: given };
        const document = parseReport(input);
        const numbers = document.citations.map(({ number }) => number);
        expect(numbersOf(document)).toEqual(numbers);
        expect(new Set(document.citations.map(({ url }) => url))).toEqual(
          new Set(given.map(({ url }) => url)),
        );
        const page = parseHTML(await text('html', input)).document;
        const marks = [...page.querySelectorAll('a.cite')].map((mark) =>
          mark.getAttribute('href'),
        );
        expect(new Set(marks)).toEqual(new Set(numbers.map((n) => `#c${n}`)));
        const markdownAgain = await text('md', input);
        expect(
          [...markdownAgain.matchAll(/^\[\^(\d+)\]: /gm)].map(([, n]) => +n),
        ).toEqual(numbers);
      }),
      { numRuns: 150 },
    );
  });

  it('runs and loads nothing in HTML', async () => {
    const hostile = [
      '<script>alert(1)</script><img src=x onerror=alert(1)>',
      '[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) [d](vbscript:x) [e](https://user:pw@evil.example)',
      '![pixel](https://evil.example/pixel.png) ![](data:image/png;base64,AAAA)',
      '[f](<https://b.example/"onmouseover="alert(1)>) <https://c.example/>',
      '```"><script>\n</code></pre><script>alert(1)</script>\n```',
    ].join('\n\n');
    const html = await text(
      'html',
      reportOf(hostile, [
        {
          at: 'alert',
          url: 'javascript:alert(2)',
          title: '</title><script>alert(3)</script>',
          quote: '"><svg onload=alert(4)>',
          verdict: '"><script>',
        },
      ]),
    );
    const page = parseHTML(html).document;
    const names = [...page.querySelectorAll('*')].flatMap((element) => [
      element.localName,
      ...[...element.attributes].map(({ name }) => name),
    ]);
    expect(
      names.filter((name) =>
        /^(script|img|svg|iframe|link|object|form|base|on\w+|src|style)$/.test(
          name,
        ),
      ),
    ).toEqual(['style']);
    const links = [...page.querySelectorAll('a:not(.cite)')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://evil.example/pixel.png',
      'https://b.example/%22onmouseover=%22alert%281%29',
      'https://c.example/',
    ]);
    for (const link of links)
      expect(link.getAttribute('rel')).toBe('noopener nofollow');
    expect(html).toContain("default-src 'none'");
  });

  it('says the same as Markdown, read again', async () => {
    const first = reportOf(
      `${KOREAN}\nA \\*star\\*, \`a|b\` and ~~old~~ <b>\n\n1. one\n2. two\n\n> quoted\n> - in a list\n\n\`\`\`js\nlet a;\n\`\`\`\n\n| \`a\\|b\` |\n|---|\n| 1\\| |\n`,
    );
    const again = reportOf(await text('md', first));
    const parsed = parseReport(again);
    expect(wordsOf({ ...parsed, blocks: parsed.blocks.slice(1) })).toEqual(
      wordsOf(parseReport(first)),
    );
  });

  it('loses no text that is nested too deep', () => {
    const deep = `${'> '.repeat(60)}bottom\n\n${'- '.repeat(70)}end`;
    const words = wordsOf(parseReport(reportOf(deep)));
    expect(words).toContain('bottom');
    expect(words).toContain('end');
  });

  it('is code where it is JSON', () => {
    const { blocks, citations } = parseReport(
      reportOf('{"answer": "kimchi"}', [{ at: 'kimchi' }]),
    );
    expect(blocks).toMatchObject([
      { type: 'code', text: '{"answer": "kimchi"}', language: 'json' },
      { content: [{ type: 'citation', number: 1 }] },
    ]);
    expect(citations).toHaveLength(1);
  });
});

/** All that is read of a report, without its marks. */
function wordsOf({ blocks }: ReportDocument): string {
  const texts = JSON.stringify(blocks, (key, value) => {
    if (!Array.isArray(value)) return value;
    const shown = value.filter((one) => one?.type !== 'citation');
    return key === 'content'
      ? shown
          .map(({ text }) => text)
          .join('')
          .trimEnd()
      : shown;
  });
  return texts.replaceAll(/,?\{"type":"paragraph","content":""\}/g, '');
}

/** The numbers that the text shows, each once. */
function numbersOf({ blocks }: ReportDocument): number[] {
  const found = JSON.stringify(blocks).matchAll(/"citation","number":(\d+)/g);
  return [...new Set([...found].map(([, number]) => Number(number)))].sort(
    (a, b) => a - b,
  );
}
