import { Receiver } from '../../../../test/support/receiver';
import { setTracer, type Tracer } from '../../../platform/tracing/tracing';
import { McpFetch } from './mcp-fetch';

describe(McpFetch.name, () => {
  const http = new McpFetch({ connectTimeoutMs: 5_000 });
  let server: Receiver;

  beforeAll(async () => {
    server = await Receiver.start();
  });
  afterAll(async () => {
    setTracer(undefined);
    await http.close();
    await server.stop();
  });

  it('names the trace of a call beside its other headers, while there is one', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const headers = new Headers({ 'mcp-session-id': 'one' });
    await http.fetch(server.url, { method: 'POST', headers });
    setTracer({ traceparent: () => traceparent } as Tracer);
    await http.fetch(server.url, { method: 'POST', headers });
    const [before, during] = server.received.map((one) => one.headers);
    expect(before).not.toHaveProperty('traceparent');
    expect(during).toMatchObject({ traceparent, 'mcp-session-id': 'one' });
  });
});
