import { ModernServer } from '../../test/support/mcp/mcp-server';
import { endpoint, McpStand } from '../../test/support/mcp/mcp-stand';
import { until } from '../../test/support/until';

const lost = {
  code: 'TOOL_INTERRUPTED',
  message: expect.stringContaining('not known'),
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

  it('is spoken to in its own revision', async () => {
    expect(stand.names).toEqual(['here__add', 'here__wait']);
    expect(stand.tool('here__add').annotations).toEqual({
      idempotentHint: true,
    });
    expect(await stand.run('here__add', { a: 1 })).toEqual([
      { type: 'value', value: { sum: 2 } },
    ]);
  });

  it('sees that a call was cancelled', async () => {
    const cancel = new AbortController();
    const { signal } = cancel;
    const running = stand.run(
      'here__wait',
      { id: 'a', progress: false },
      { signal },
    );
    await until(async () => server.waiting.has('a'));
    cancel.abort('enough');
    await expect(running).rejects.toBe('enough');
    await until(async () => server.cancelled.has('a'));
  });

  it('passes the words of its progress on', async () => {
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

  it('is listed again when it says that its tools have changed', async () => {
    server.extra = ['more'];
    await until(async () => {
      // Nobody may have listened the first time.
      server.announce();
      return stand.names.includes('here__more');
    });
    expect(await stand.run('here__more')).toEqual([
      { type: 'text', text: 'more' },
    ]);
    server.extra = [];
    server.announce();
    await until(async () => !stand.names.includes('here__more'));
  });

  it('interrupts a call when it goes, and makes the next one when it is back', async () => {
    const running = stand.run('here__wait', { id: 'a', progress: false });
    await until(async () => server.waiting.has('a'));
    await server.stop();
    expect(await running).toEqual(lost);
    const next = stand.run('here__add', { a: 1 });
    server.extra = ['more'];
    await server.start();
    expect(await next).toEqual([{ type: 'value', value: { sum: 2 } }]);
    await until(async () => stand.names.includes('here__more'));
  });

  it('keeps its tools while it is away, and says so of a call', async () => {
    await stand.close();
    stand = await McpStand.start(
      endpoint(server.url, { connectTimeoutMs: 300 }),
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

  it('does not hold up the start while it is away, and brings its tools when it comes', async () => {
    await server.stop();
    const late = await McpStand.start(endpoint(server.url));
    try {
      expect(late.names).toEqual([]);
      expect(late.lines).toContain('cannot be reached (ECONNREFUSED)');
      await server.start();
      await until(async () => late.names.includes('here__add'));
      expect(await late.run('here__add', { a: 1 })).toEqual([
        { type: 'value', value: { sum: 2 } },
      ]);
    } finally {
      await late.close();
    }
  });

  it('can be kept to some of its tools', async () => {
    await stand.close();
    stand = await McpStand.start(endpoint(server.url, { tools: ['add'] }));
    expect(stand.names).toEqual(['here__add']);
  });

  it('sees that a call was given up because it was silent for too long', async () => {
    await stand.close();
    stand = await McpStand.start(endpoint(server.url, { timeoutMs: 200 }));
    expect(await stand.run('here__wait', { id: 'a', progress: false })).toEqual(
      { code: 'TOOL_TIMEOUT', message: 'The tool did not answer in time.' },
    );
    await until(async () => server.cancelled.has('a'));
  });
});
