import type { Article } from '../corpus/articles/article';
import { library } from '../corpus/library';
import type { Exchange } from '../wire/http';
import type { CorpusPage } from './corpus-pages';
import { corpusPages } from './corpus-pages';
import { encodeEucKr } from './euc-kr';
import { sendHostile } from './hostile';
import { escapeHtml, htmlOf } from './html';
import { pdfOf } from './pdf';
import { sendPage } from './send-page';

const ROBOTS = 'User-agent: *\nDisallow: /pages/disallowed/\n';
const HOSTILE = /^\/pages\/hostile\/([a-z0-9-]+)(\/.*)?$/;
const DISALLOWED = /^\/pages\/disallowed(\/.+)$/;

export const isPage = (method: string, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (path === '/robots.txt' || path.startsWith('/pages/'));

/** The corpus as pages of the web, beside those that are served to do harm. */
export function servePage(x: Exchange): void {
  if (x.path === '/robots.txt')
    return sendPage(x, 200, 'text/plain; charset=utf-8', Buffer.from(ROBOTS));
  if (x.path === '/pages/') return sendIndex(x);
  const [, name, of] = HOSTILE.exec(x.path) ?? [];
  if (name !== undefined && sendHostile(name, x, articleAt(of))) return;
  const [, hidden] = DISALLOWED.exec(x.path) ?? [];
  const page = corpusPages.get(hidden ? `/pages${hidden}` : x.path);
  if (page) return sendCorpusPage(x, page);
  sendPage(x, 404, 'text/html; charset=utf-8', Buffer.from('<h1>404</h1>'));
}

const articleAt = (path = ''): Article =>
  corpusPages.get(`/pages${path}`)?.article ?? library[0];

function sendCorpusPage(x: Exchange, { article, form }: CorpusPage): void {
  switch (form) {
    case 'pdf':
      return sendPage(x, 200, 'application/pdf', pdfOf(article));
    case 'euc-kr':
      return sendPage(
        x,
        200,
        'text/html; charset=euc-kr',
        encodeEucKr(htmlOf(article)),
      );
    case 'euc-kr-meta':
      return sendPage(
        x,
        200,
        'text/html',
        encodeEucKr(htmlOf(article, { meta: 'euc-kr' })),
      );
    case 'html':
      return sendPage(
        x,
        200,
        'text/html; charset=utf-8',
        Buffer.from(htmlOf(article)),
      );
  }
}

function sendIndex(x: Exchange): void {
  const entries = [...corpusPages.values()].map(
    ({ path, article }) =>
      `<li lang="${article.lang}"><a href="${path}">${escapeHtml(article.title)}</a></li>`,
  );
  const page = `<!doctype html><html lang="en"><head><title>All pages</title></head><body><ul>${entries.join('')}</ul></body></html>`;
  sendPage(x, 200, 'text/html; charset=utf-8', Buffer.from(page));
}
