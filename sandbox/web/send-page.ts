import type { Article } from '../corpus/articles/article';
import type { Exchange } from '../wire/http';

/** Sends a hostile version of an article. */
export type Hostile = (x: Exchange, article: Article) => void;

export function sendHtml(x: Exchange, text: string, status = 200): void {
  sendPage(x, status, 'text/html; charset=utf-8', Buffer.from(text));
}

export function sendPage(
  { res, method }: Exchange,
  status: number,
  type: string,
  body: Buffer,
): void {
  res.writeHead(status, {
    'content-type': type,
    'content-length': body.length,
  });
  res.end(method === 'HEAD' ? undefined : body);
}
