import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { until } from '../until';
import { type ReceivedSpan, readSpans } from './otlp-reader';

/** A receiver of traces by OTLP over HTTP on loopback. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Every request as it came. */
  readonly bodies: Buffer[] = [];
  private readonly server = createServer((request, reply) => {
    void buffer(request).then((body) => {
      this.bodies.push(body);
      if (request.url === '/v1/traces') this.spans.push(...readSpans(body));
      reply.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  /** The first span that fits, once it is there. */
  span(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    return until('a span', (saw) => saw(this.spans).find(fits));
  }

  /** Spans of a trace whose parent is not in it, roots left out. */
  orphans(traceId: string): ReceivedSpan[] {
    const spans = this.of(traceId);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    return spans.filter(
      ({ parentId }) => parentId !== '' && !ids.has(parentId),
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
