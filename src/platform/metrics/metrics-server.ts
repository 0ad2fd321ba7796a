import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** More than one Prometheus, and a person beside them. */
const MAX_CONNECTIONS = 32;
const REQUEST_TIMEOUT_MS = 5_000;
/** Scrapes within this time get the same text. */
const CACHE_MS = 500;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface MetricsServerOptions {
  host: string;
  /** The first free one of these is taken; 0 is any. */
  ports: readonly [first: number, last: number];
  /** Whether a request with this `Host` is answered: a page that renames its own host to the loopback is not. */
  serves: (host: string) => boolean;
}

/** What a path answers. */
export interface Page {
  status: number;
  type: string;
  text: string;
}
export type Pages = ReadonlyMap<string, () => Promise<Page>>;

/** The page of the metrics that `read` returns. */
export function metricsPage(read: () => Promise<string>): () => Promise<Page> {
  let cached: { until: number; text: Promise<string> } | undefined;
  return async () => {
    const now = performance.now();
    if (!cached || now >= cached.until)
      cached = { until: now + CACHE_MS, text: read() };
    try {
      return { status: 200, type: CONTENT_TYPE, text: await cached.text };
    } catch (error) {
      cached = undefined;
      throw error;
    }
  };
}

/** Answers `GET` of its pages, and nothing else. */
export class MetricsServer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Undefined: other processes listen on all of the ports. */
  static async listen(
    { host, ports: [first, last], serves }: MetricsServerOptions,
    pages: Pages,
  ): Promise<MetricsServer | undefined> {
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS });
    server.maxConnections = MAX_CONNECTIONS;
    for (let port = first; port <= last; port += 1) {
      if (!(await listens(server, port, host))) continue;
      const { port: taken } = server.address() as AddressInfo;
      const name = host.includes(':') ? `[${host}]` : host;
      const metrics = new MetricsServer(
        server,
        `http://${name}:${taken}/metrics`,
      );
      // A failed accept is the peer's matter.
      server.on('error', () => undefined);
      server.on('request', (request, reply) => {
        const named = /^(.*?)(:\d+)?$/.exec(request.headers.host ?? '')![1];
        if (!serves(named)) return end(reply, 403);
        void answer(request, reply, pages);
      });
      return metrics;
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function answer(
  { method, url = '' }: IncomingMessage,
  reply: ServerResponse,
  pages: Pages,
): Promise<void> {
  const page = pages.get(url.split('?')[0]);
  if (!page) return end(reply, 404);
  if (method !== 'GET' && method !== 'HEAD') {
    reply.setHeader('allow', 'GET, HEAD');
    return end(reply, 405);
  }
  try {
    const { status, type, text } = await page();
    reply.setHeader('content-type', type);
    end(reply, status, method === 'GET' ? text : '');
  } catch {
    end(reply, 500);
  }
}

function end(reply: ServerResponse, status: number, text = ''): void {
  reply.statusCode = status;
  reply.setHeader('x-content-type-options', 'nosniff');
  reply.end(text);
}

/** False: another process listens on the port. */
function listens(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off('listening', ready);
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    const ready = (): void => {
      server.off('error', failed);
      resolve(true);
    };
    server.once('error', failed).once('listening', ready);
    server.listen(port, host);
  });
}
