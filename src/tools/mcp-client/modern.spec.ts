import { ModernServer } from '../../../test/support/mcp/mcp-server';
import { endpoint, McpStand } from '../../../test/support/mcp/mcp-stand';
import { until } from '../../../test/support/until';

const lost = {
  code: 'TOOL_INTERRUPTED',
  message: expect.stringContaining('unknown whether'),
};

describe('a server of 2026-07-28', () => {
  let server: ModernServer;
  let stand: McpStand;

  beforeEach(async () => {
    server = await ModernServer.start();
    stand = await McpStand.start(endpoint(server.url));
  });

  afterEach(async () => {
    await stand.close();
    await server.stop();
  });

  it('is called in its own revision', async () => {
    expect(stand.names).toEqual(['here__add', 'here__wait']);
    expect(stand.tool('here__add').annotations).toEqual({
      idempotentHint: true,
    });
    expect(await stand.run('here__add', { a: 1 })).toEqual([
      { type: 'value', value: { sum: 2 } },
    ]);
  });

  it('is notified of a cancelled call', async () => {
    const cancel = new AbortController();
    const { signal } = cancel;
    const running = stand.run(
      'here__wait',
      { id: 'a', progress: false },
      { signal },
    );
    await until('the call to reach the server', () => server.waiting.has('a'));
    cancel.abort('enough');
    await expect(running).rejects.toBe('enough');
    await until('the server to receive the cancellation', () =>
      server.cancelled.has('a'),
    );
  });

  it('forwards the messages of its progress', async () => {
    const cancel = new AbortController();
    const steps: object[] = [];
    const running = stand.run(
      'here__wait',
      { id: 'a', progress: true },
      {
        signal: cancel.signal,
        progress: (step) => {
          steps.push(step);
          cancel.abort('enough');
        },
      },
    );
    await expect(running).rejects.toBe('enough');
    expect(steps).toEqual([{ detail: 'Half of it', progress: 0.5 }]);
  });

  it('is listed again when it reports changed tools', async () => {
    server.extra = ['more'];
    await until('the new tool to be registered', (saw) => {
      // Nobody may have listened the first time.
      server.announce();
      return saw(stand.names).includes('here__more');
    });
    expect(await stand.run('here__more')).toEqual([
      { type: 'text', text: 'more' },
    ]);
    server.extra = [];
    server.announce();
    await until(
      'the tool to be removed',
      (saw) => !saw(stand.names).includes('here__more'),
    );
  });

  it('interrupts a call when it exits, and makes the next one after its restart', async () => {
    const running = stand.run('here__wait', { id: 'a', progress: false });
    await until('the call to reach the server', () => server.waiting.has('a'));
    await server.stop();
    expect(await running).toEqual(lost);
    const next = stand.run('here__add', { a: 1 });
    server.extra = ['more'];
    await server.start();
    expect(await next).toEqual([{ type: 'value', value: { sum: 2 } }]);
    await until('the new tool to be registered', (saw) =>
      saw(stand.names).includes('here__more'),
    );
  });

  it('keeps its tools while it is unavailable, and fails calls as such', async () => {
    await stand.close();
    stand = await McpStand.start(
      endpoint(server.url, { connectTimeoutMs: 3_000 }),
    );
    await server.stop();
    expect(await stand.run('here__add', { a: 1 })).toEqual({
      code: 'TOOL_UNAVAILABLE',
      message: 'The server of the tool cannot be reached.',
    });
    expect(stand.servers.states()).toEqual([
      { name: 'here', connected: false, tools: 2 },
    ]);
  });

  it('never delays the start while it is unavailable, and registers its tools later', async () => {
    await server.stop();
    const late = await McpStand.start(endpoint(server.url));
    try {
      expect(late.names).toEqual([]);
      expect(late.lines).toContain('cannot be reached (ECONNREFUSED)');
      await server.start();
      await until('the tools to be registered', (saw) =>
        saw(late.names).includes('here__add'),
      );
      expect(await late.run('here__add', { a: 1 })).toEqual([
        { type: 'value', value: { sum: 2 } },
      ]);
    } finally {
      await late.close();
    }
  });

  it('can be restricted to some of its tools', async () => {
    await stand.close();
    stand = await McpStand.start(endpoint(server.url, { tools: ['add'] }));
    expect(stand.names).toEqual(['here__add']);
  });

  it('is notified of a call that timed out without progress', async () => {
    await stand.close();
    stand = await McpStand.start(endpoint(server.url, { timeoutMs: 200 }));
    expect(await stand.run('here__wait', { id: 'a', progress: false })).toEqual(
      { code: 'TOOL_TIMEOUT', message: 'The tool did not respond in time.' },
    );
    await until('the server to receive the cancellation', () =>
      server.cancelled.has('a'),
    );
  });
});
