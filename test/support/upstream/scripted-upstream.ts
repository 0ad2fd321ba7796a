import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { checkShape } from '../../../sandbox/validation/shape';
import { inputItems } from '../../../sandbox/validation/validate-input';
import { ApiError } from '../../../sandbox/wire/api-error';

/** A list of frames is streamed, an object is sent as it is. */
export type ScriptedReply = object | readonly object[];

/**
 * ⏎ An endpoint that gives one reply after the other, in forms that only some gateways send. A strict one rejects requests
 * that the published types do not allow, and items without a type; the others accept anything, as gateways accept the fields that they send.
 */
export class ScriptedUpstream {
  readonly paths: string[] = [];
  readonly bodies: Record<string, unknown>[] = [];
  private replies: ScriptedReply[] = [];

  private constructor(private readonly server: Server) {}

  static async start(strict = false): Promise<ScriptedUpstream> {
    const server = createServer();
    const upstream = new ScriptedUpstream(server);
    server.on('request', (request, response) => {
      // It lists no models, and stores nothing.
      if (request.method !== 'POST') {
        response.writeHead(404).end();
        return;
      }
      void json(request).then((body) => {
        upstream.paths.push(request.url ?? '');
        upstream.bodies.push(body as Record<string, unknown>);
        const reply = upstream.replies.shift();
        const refused = strict && refusalOf(request.url ?? '', body);
        if (refused) {
          response.statusCode = refused.status;
          response.end(JSON.stringify({ error: { message: refused.message } }));
          return;
        }
        if (!Array.isArray(reply)) {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(reply ?? {}));
          return;
        }
        response.setHeader('content-type', 'text/event-stream');
        const frames = reply.map((one) => `data: ${JSON.stringify(one)}\n\n`);
        response.end(`${frames.join('')}data: [DONE]\n\n`);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return upstream;
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  play(...replies: ScriptedReply[]): void {
    this.paths.length = 0;
    this.bodies.length = 0;
    this.replies = replies;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Undefined for a request that the published types allow. */
function refusalOf(path: string, body: unknown): ApiError | undefined {
  try {
    if (path.endsWith('/responses')) {
      checkShape(body, 'ResponsesBody');
      inputItems(body as ResponseCreateParams, true);
    }
    if (path.endsWith('/chat/completions')) checkShape(body, 'ChatBody');
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}
