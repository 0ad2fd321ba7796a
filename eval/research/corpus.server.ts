import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readCorpus } from './corpus';
import { CorpusSearch } from './corpus.search';

export interface CorpusServer {
  /** On the loopback interface of this machine. */
  readonly origin: string;
  /** Every result of a search has an address of its own, also those of one page. */
  distinct: boolean;
  close(): Promise<void>;
}

/** The corpus as a site of its own: its pages as HTML, and `/search` in the form of SearXNG. */
export async function startCorpus(): Promise<CorpusServer> {
  const corpus = readCorpus();
  const pages = new Map(corpus.map((page) => [`/${page.path}`, page]));
  const search = new CorpusSearch(corpus);
  const server = createServer((request, response) => {
    const url = new URL(request.url!, origin);
    if (url.pathname === '/search') {
      const query = url.searchParams.get('q') ?? '';
      const language = url.searchParams.get('language');
      const results = search.find(query, language, origin, site.distinct);
      const body = { query, results, unresponsive_engines: [] };
      return send(response, 200, 'application/json', JSON.stringify(body));
    }
    const page = pages.get(url.pathname);
    if (!page) return send(response, 404, 'text/plain', 'Not found');
    send(response, 200, 'text/html; charset=utf-8', page.html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const site: CorpusServer = {
    origin,
    distinct: false,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return site;
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}
