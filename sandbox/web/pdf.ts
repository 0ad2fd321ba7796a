import type { Article } from '../corpus/articles/article';

const LINE = 88;
const LINES_PER_PAGE = 44;
const LEADING = 15;

/** An article as a PDF of Latin text: Helvetica, one column, uncompressed; `pages` are the paragraphs of each page. */
export function pdfOf({
  title,
  paragraphs,
  pages: given = [paragraphs],
}: Pick<Article, 'title' | 'paragraphs'> & { pages?: string[][] }): Buffer {
  const pages = given.flatMap((texts, at) => {
    const head = at === 0 ? [title, ''] : [];
    const lines = [...head, ...texts.flatMap((p) => [...wrap(p), ''])];
    return paged(lines);
  });
  const numberOf = (page: number) => 5 + 2 * page;
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, n) => `${numberOf(n)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title ${string(title)} /Producer (sandbox) >>`,
    ...pages.flatMap((page, n) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${numberOf(n) + 1} 0 R >>`,
      streamOf(page),
    ]),
  ]);
}

function paged(lines: string[]): string[][] {
  const pages: string[][] = [];
  for (let from = 0; from < lines.length; from += LINES_PER_PAGE)
    pages.push(lines.slice(from, from + LINES_PER_PAGE));
  return pages;
}

function wrap(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (lines[last].length + word.length < LINE)
      lines[last] += `${lines[last] === '' ? '' : ' '}${word}`;
    else lines.push(word);
  }
  return lines;
}

function streamOf(lines: string[]): string {
  const shown = lines.map((line) => `${string(line)} Tj T*`).join('\n');
  const content = `BT /F1 11 Tf ${LEADING} TL 56 780 Td\n${shown}\nET`;
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

const string = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&')})`;

/** The objects with their cross-reference table; every character of them is one byte. */
function assemble(objects: string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets)
    file += `${String(offset).padStart(10, '0')} 00000 n \n`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
