import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export const LOOP = 'It is what it is. ';
const CREATED = {
  id: 'resp_1',
  status: 'in_progress',
  background: false,
  output: [],
};

/**
 * An endpoint that writes the same words until its caller leaves; at once where no stream is asked for. It stores nothing.
 */
export class EndlessEndpoint {
  readonly bodies: Record<string, unknown>[] = [];
  /** Resolves when the caller of a stream has left. */
  left = Promise.resolve();

  constructor(private readonly server: Server) {}

  static async start(): Promise<EndlessEndpoint> {
    const server = createServer();
    const endpoint = new EndlessEndpoint(server);
    server.on('request', (request, response) => {
      const isTurn = /\/(?:responses|chat\/completions)$/.test(request.url!);
      if (!isTurn) return void response.writeHead(404).end();
      void json(request).then((body) => {
        endpoint.bodies.push(body as Record<string, unknown>);
        const isStream = (body as { stream?: boolean }).stream === true;
        if (isStream) endpoint.stream(request.url!, response);
        else response.end(JSON.stringify(whole(request.url!)));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private stream(path: string, response: ServerResponse): void {
    let open = true;
    this.left = new Promise((resolve) =>
      response.once('close', () => {
        open = false;
        resolve();
      }),
    );
    response.setHeader('content-type', 'text/event-stream');
    const send = (frame: object): void =>
      void response.write(`data: ${JSON.stringify(frame)}\n\n`);
    const isResponse = path.endsWith('/responses');
    if (isResponse) send({ type: 'response.created', response: CREATED });
    const write = (): void => {
      if (!open) return;
      const frame = isResponse
        ? { type: 'response.output_text.delta', output_index: 0, delta: LOOP }
        : { choices: [{ delta: { content: LOOP }, finish_reason: null }] };
      send(frame);
      setImmediate(write);
    };
    write();
  }
}

const whole = (path: string): object => {
  const text = LOOP.repeat(2_000);
  const content = [{ type: 'output_text', text, annotations: [] }];
  return path.endsWith('/responses')
    ? {
        id: 'r',
        status: 'completed',
        output: [{ type: 'message', role: 'assistant', content }],
      }
    : {
        choices: [
          {
            message: { role: 'assistant', content: text },
            finish_reason: 'stop',
          },
        ],
      };
};
