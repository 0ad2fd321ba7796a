import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer =
  number | 'never' | { status: number; headers: OutgoingHttpHeaders };

/** A receiver of webhooks on loopback: records every request and responds with 204, or as configured. */
export class Receiver {
  readonly received: Received[] = [];
  connections = 0;
  private readonly answers: Answer[] = [];
  private readonly server = createServer((request, reply) => {
    void text(request).then((body) => {
      const { url = '', headers } = request;
      this.received.push({ path: url, headers, body });
      const answer = this.answers.shift() ?? 204;
      if (answer === 'never') return;
      if (typeof answer === 'number') reply.writeHead(answer).end();
      else reply.writeHead(answer.status, answer.headers).end();
    });
  }).on('connection', () => void (this.connections += 1));

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The responses to the next requests, in order. */
  answer(...answers: Answer[]): void {
    this.answers.splice(0, Infinity, ...answers);
  }

  /** The requests for this invocation. */
  of(invocationId: string): Received[] {
    return this.received.filter(
      ({ headers }) => headers['webhook-id'] === `msg_${invocationId}`,
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
