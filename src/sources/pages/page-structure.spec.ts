import { docx, paragraph, pdf } from '../../../test/support/pages/files';
import { type PageText, textOf } from '../../../test/support/pages/text-of';

/** Each heading with the text from its place to the end of its line. */
const places = ({ text, headings = [] }: PageText): unknown[] =>
  headings.map(({ at, level, text: heading, ids }) => [
    level,
    heading,
    text.slice(at).split('\n', 1)[0],
    ...(ids ? [ids] : []),
  ]);

const prose = (about: string): string =>
  `<p>${`The ${about} runs through many countries, and people live beside it. `.repeat(8)}</p>`;

describe('headings', () => {
  it('stand where their text begins, in the order of the page', async () => {
    const page = await textOf(
      `<title>Rivers</title><article><h1>Rivers</h1>${prose('Danube')}\n\n\n<h2> The\n  Rhine </h2>
      ${prose('Rhine')}<h3>Its <b>sources</b></h3>${prose('source')}</article>`,
    );
    expect(places(page).slice(-2)).toEqual([
      [2, 'The Rhine', 'The Rhine'],
      [3, 'Its sources', 'Its sources'],
    ]);
  });

  it('are found after an entry of the contents with the same words', async () => {
    const page = await textOf(
      `<ul><li>Rhine</li></ul><p>About rivers.</p><h2>Rhine</h2><p>It is long.</p>`,
    );
    expect(page.headings).toEqual([
      { at: page.text.lastIndexOf('Rhine'), level: 2, text: 'Rhine' },
    ]);
  });

  it('have the ids of themselves, of anchors beside them and of what begins with them', async () => {
    const page = await textOf(
      `<div id=top><p>Text.</p></div><section id=s><div><a name=a></a><h2 id=h><span id=i>One</span></h2></div><p>More.</p></section><h2>Two</h2><p>Text.`,
    );
    expect(places(page)).toEqual([
      [2, 'One', 'One', ['s', 'a', 'h', 'i']],
      [2, 'Two', 'Two'],
    ]);
  });

  it('are without the mark of a link to themselves, which text elsewhere keeps', async () => {
    const page = await textOf(
      `<h2>C#<a href="#c">¶</a></h2><p>The mark <a href="/pilcrow">¶ is old</a>, as § is.</p><h2><a href="#d"> # </a>D</h2><p>Text.`,
    );
    expect(places(page)).toEqual([
      [2, 'C#', 'C#'],
      [2, 'D', 'D'],
    ]);
    expect(page.text).toContain('The mark ¶ is old, as § is.');
  });

  it('without an end are one line', async () => {
    const page = await textOf('<h2>One<p>Text of one.<h2>Two<div>Text.');
    expect(places(page)).toEqual([
      [2, 'One', 'One'],
      [2, 'Two', 'Two'],
    ]);
  });

  it('that are empty, hidden or of a menu are none', async () => {
    const page = await textOf(
      `<nav><h2>Menu</h2></nav><h2 hidden>Gone</h2><h2> <img src=a> </h2><h3>Real</h3>${prose('Danube')}`,
    );
    expect(places(page)).toEqual([[3, 'Real', 'Real']]);
  });

  it('are bounded in number, length and ids', async () => {
    const long = 'x'.repeat(1_000);
    const ids = Array.from({ length: 50 }, (_, at) => `<a id=a${at}></a>`);
    const page = await textOf(
      `<h2>${ids.join('')}${long}</h2>${'<h2>Next</h2><p>a</p>'.repeat(20_000)}`,
    );
    expect(page.headings).toHaveLength(500);
    expect(page.headings![0].text).toHaveLength(200);
    expect(page.headings![0].ids).toHaveLength(8);
  });

  it('of a DOCX are its heading styles', async () => {
    const heading = `<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>The Rhine</w:t></w:r></w:p>`;
    const page = await textOf(
      docx(paragraph('Rivers') + heading + paragraph('It is long.')),
      'application/zip',
    );
    expect(places(page)).toEqual([[2, 'The Rhine', 'The Rhine']]);
  });

  it('of a PDF are those of its outline', async () => {
    const outline = ['Beginning', 'Page 2 of the'];
    const page = await textOf(pdf(3, { outline }), 'application/pdf');
    expect(places(page)).toEqual([
      [1, 'Beginning', 'Page 1 of the report'],
      [1, 'Page 2 of the', 'Page 2 of the report'],
    ]);
  });

  describe('of a PDF without an outline', () => {
    /** Lines of a page, each with the size of its letters. */
    const show = (...lines: readonly (readonly [number, string])[]): string =>
      `0 0 Td ${lines.map(([size, text]) => `/F1 ${size} Tf 0 -30 Td (${text}) Tj`).join(' ')} 0 -30 Td ()`;
    const BODY = 'The river runs through many countries and ends in the sea.';
    const headed = (pages: number, lines: (page: number) => string) =>
      textOf(pdf(pages, { show: lines }), 'application/pdf');

    it('are its short lines of larger letters, the largest first', async () => {
      const page = await headed(2, (at) =>
        show(
          ...(at === 1
            ? ([
                [24, 'Rivers of'],
                [24, 'Europe'],
              ] as const)
            : []),
          [16, `River ${at}`],
          [11, BODY],
          [12, 'Not much larger'],
          [11, BODY],
          [16, '2 850'],
        ),
      );
      expect(places(page)).toEqual([
        [1, 'Rivers of Europe', 'Rivers of'],
        [2, 'River 1', 'River 1'],
        [2, 'River 2', 'River 2'],
      ]);
    });

    it('are no headers of its pages, no text in large letters, and no large first letter', async () => {
      const page = await headed(3, () =>
        show(
          [16, 'A report'],
          [11, BODY.repeat(6)],
          [16, BODY],
          [16, BODY],
          [16, 'by the sea.'],
          [30, 'T) Tj /F1 11 Tf (he river'],
        ),
      );
      expect(page.text).toContain('The river');
      expect(page.headings).toBeUndefined();
    });

    it('are none where all letters are as large', async () => {
      const page = await headed(2, () => show([20, 'Rivers'], [20, BODY]));
      expect(page.headings).toBeUndefined();
    });

    it('are bounded in number', async () => {
      const page = await headed(300, (at) =>
        show([16, `One ${at}`], [11, BODY], [16, `Two ${at}`], [11, BODY]),
      );
      expect(page.headings).toHaveLength(500);
    });
  });

  it('of Markdown are its own, and none of its code', async () => {
    const page = await textOf(
      '\n\n# Rivers ##\r\n\nText.\n\n```sh\n# a comment\n```\n\n### The Rhine\n#tag\n    # code',
      'text/markdown',
    );
    expect(places(page)).toEqual([
      [1, 'Rivers', '# Rivers ##'],
      [3, 'The Rhine', '### The Rhine'],
    ]);
  });
});

describe('a table', () => {
  const HEADER = '<tr><th>River</th><th>Length</th></tr>';

  it('is a line for each row, whatever its cells hold, its first row before them', async () => {
    const row = (n: number): string =>
      `<tr><td><p>River ${n}</p></td><td><ul><li>${n} km</li><li>${n} mi</li></ul></td></tr>`;
    const rows = Array.from({ length: 2_000 }, (_, at) => row(at));
    const { text } = await textOf(
      `<p>Before.</p><table><thead>${HEADER}</thead>${rows.join('\n')}</table><p>After.</p>`,
    );
    expect(text).toMatch(
      /^Before\.\n\nRiver\tLength\nRiver 0\t0 km 0 mi\nRiver 1\t1 km 1 mi\n/,
    );
    expect(text).toMatch(/\nRiver 1999\t1999 km 1999 mi\n\nAfter\.$/);
    expect(text.match(/^River \d+\t/gm)).toHaveLength(2_000);
  });

  it('without end tags is a line for each row as well', async () => {
    const { text } = await textOf(
      '<table><tr><th>River<th>Length<tr><td>Rhine<td>1,230 km</table>',
    );
    expect(text).toBe('River\tLength\nRhine\t1,230 km');
  });

  it('that lays out a page keeps its paragraphs', async () => {
    const { text } = await textOf(
      `<table><tr><td><h2>News</h2><p>One.</p><p>Two.</p></td><td><table>${HEADER}<tr><td>Rhine</td><td>1,230</td></tr></table></td></tr></table>`,
    );
    expect(text).toMatch(/^News\s+One\.\n\nTwo\./);
    expect(text).toContain('River\tLength\nRhine\t1,230');
  });

  it('beside another is divided from it', async () => {
    const table = (name: string): string =>
      `<table>${HEADER}<tr><td>${name}</td><td>1</td></tr></table>`;
    const { text } = await textOf(table('Rhine') + table('Elbe'));
    expect(text).toBe('River\tLength\nRhine\t1\n\nRiver\tLength\nElbe\t1');
  });

  it('with a colspan beyond measure, or rows without cells, costs nothing', async () => {
    const { text } = await textOf(
      `<table><tr><td colspan=1000000000 rowspan=1000000000>Rhine</td></tr>${'<tr>'.repeat(50_000)}</table>`,
    );
    expect(text).toBe('Rhine');
  });
});
