import type { Exchange } from '../wire/http';

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
