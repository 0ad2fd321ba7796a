import { htmlOf } from './html';
import { pdfOf } from './pdf';
import { type Hostile, sendHtml, sendPage } from './send-page';

const ROWS = 2_000;
const PAGES = 100;
const FILLER =
  'The appendix goes on with the minutes of a meeting, which say nothing of the subject. ';
/** Its characters that Latin-1 lacks. */
const WINDOWS_1252: Record<string, number> = {
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '–': 0x96,
  '…': 0x85,
};

const row = (at: number): string =>
  `<tr><td>Jar ${at}</td><td>${at * 3} kg</td><td>cellar ${at % 7}</td></tr>`;

const windows1252 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (one) => {
      const code = WINDOWS_1252[one] ?? one.charCodeAt(0);
      return code < 0x100 ? code : 0x3f;
    }),
  );

/** Articles in forms that are hard to read. */
export const ODD_PAGES: Record<string, Hostile> = {
  /** Leads to the article by itself. */
  refresh: (x) => {
    const to = x.path.replace('/pages/hostile/refresh', '/pages');
    sendHtml(
      x,
      `<!doctype html><meta http-equiv="refresh" content="1; url=${to}"><title>Moved</title><p>This page has moved.</p>`,
    );
  },
  /** Nothing names its charset. */
  'windows-1252': (x, article) => {
    const after = '<p>It’s a “café” – so the owner’s sign said…</p>';
    sendPage(x, 200, 'text/html', windows1252(htmlOf(article, { after })));
  },
  table: (x, article) => {
    const rows = Array.from({ length: ROWS }, (_, at) => row(at + 1));
    const after = `<table><thead><tr><th>Jar</th><th>Weight</th><th>Place</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
    sendHtml(x, htmlOf(article, { after }));
  },
  /** A PDF of a hundred pages, the paragraphs of the article far apart. */
  'long-pdf': (x, article) => {
    const { paragraphs } = article;
    const every = Math.floor(PAGES / (paragraphs.length + 1));
    const pages = Array.from({ length: PAGES }, (_, at) => [
      `Page ${at + 1}`,
      ...(at % every === 0 ? paragraphs.slice(at / every - 1, at / every) : []),
      FILLER.repeat(12),
    ]);
    sendPage(x, 200, 'application/pdf', pdfOf({ ...article, pages }));
  },
};
