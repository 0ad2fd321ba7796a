import { HostileServer } from '../../../test/support/mcp/mcp-hostile';
import { endpoint, McpStand } from '../../../test/support/mcp/mcp-stand';
import { until } from '../../../test/support/until';

const object = { type: 'object' };
const done = [{ type: 'text', text: 'Done' }];
const lost = {
  code: 'TOOL_INTERRUPTED',
  message: expect.stringContaining('unknown whether'),
};
const late = {
  code: 'TOOL_TIMEOUT',
  message: 'The tool did not respond in time.',
};
const tooLarge = {
  code: 'RESULT_TOO_LARGE',
  message: 'The result of the tool is over the size limit.',
};

describe('a server that breaks its calls', () => {
  let server: HostileServer;
  let stand: McpStand;

  beforeAll(async () => {
    const names =
      'refuse break task ask lie forget babble big fail end die shout good';
    const outputSchema = {
      type: 'object',
      properties: { sum: { type: 'number' } },
    };
    server = await HostileServer.start(
      names.split(' ').map((name) => ({
        name,
        inputSchema: object,
        ...(['lie', 'forget'].includes(name) && { outputSchema }),
      })),
    );
    stand = await McpStand.start(endpoint(server.url));
  });

  afterAll(async () => {
    await stand.close();
    await server.stop();
  });

  afterEach(async () => {
    expect(await stand.run('here__good')).toEqual(done);
  });

  it.each([
    [
      'refuse',
      'TOOL_REFUSED',
      'The server of the tool refused the call (-32602).',
    ],
    [
      'break',
      'TOOL_UNAVAILABLE',
      'The server of the tool refused the call (HTTP 503).',
    ],
    ['task', 'TOOL_UNSUPPORTED', expect.stringContaining('a task')],
    ['ask', 'TOOL_UNSUPPORTED', expect.stringContaining('a question')],
    [
      'lie',
      'INVALID_RESULT',
      'The tool returned a result that does not match its schema.',
    ],
    [
      'forget',
      'INVALID_RESULT',
      'The tool returned a result that does not match its schema.',
    ],
    [
      'babble',
      'INVALID_RESULT',
      'The response of the tool violates the protocol.',
    ],
    ['end', lost.code, lost.message],
    ['die', lost.code, lost.message],
    ['big', tooLarge.code, tooLarge.message],
    ['shout', tooLarge.code, tooLarge.message],
  ])('is reported of %s as %s', async (name, code, message) => {
    expect(await stand.run(`here__${name}`)).toEqual({ code, message });
  });

  it('is quoted only in part', async () => {
    const message = expect.stringMatching(/^x{2000}$/) as string;
    const shown = { code: 'TOOL_ERROR', message };
    expect(await stand.run('here__fail')).toEqual(shown);
  });

  it('never gets its texts, address or errors into the log', () => {
    expect(stand.lines.join('\n')).not.toMatch(/secret-words|127\.0\.0\.1/);
  });
});

describe('a server that no longer knows the session', () => {
  it('is called again, because it received no call', async () => {
    const server = await HostileServer.start([
      { name: 'good', inputSchema: object },
    ]);
    server.session = 'first';
    const stand = await McpStand.start(endpoint(server.url));
    server.session = 'second';
    const calls = Array.from({ length: 5 }, () => stand.run('here__good'));
    expect(await Promise.all(calls)).toEqual(calls.map(() => done));
    expect(server.called).toHaveLength(5);
    await stand.close();
    await server.stop();
  });
});

describe('a server that was unavailable for long', () => {
  it('is reconnected at once when a call needs it', async () => {
    const server = await HostileServer.start(
      ['die', 'good'].map((name) => ({ name, inputSchema: object })),
    );
    const stand = await McpStand.start(endpoint(server.url));
    const dying = stand.run('here__die');
    await until('the server to be called', () => server.called.length > 0);
    server.refusing = true;
    expect(await dying).toEqual(lost);
    // By now it is asked every few seconds only, and later every half minute.
    await until('the server to refuse often', (saw) => saw(server.refused) > 5);
    server.refusing = false;
    expect(await stand.run('here__good')).toEqual(done);
    await stand.close();
    await server.stop();
  });
});

describe('a server that was unavailable at the start', () => {
  it('is waited for by a call of a tool that it has not listed yet', async () => {
    const server = await HostileServer.start([
      { name: 'good', inputSchema: object },
    ]);
    server.refusing = true;
    const stand = await McpStand.start(endpoint(server.url));
    expect(stand.names).not.toContain('here__good');
    const found = stand.whenFound('here__good');
    server.refusing = false;
    expect(await found).toMatchObject({ name: 'here__good' });
    await stand.close();
    await server.stop();
  });
});

describe('a call that takes long', () => {
  const names = ['hang', 'stream'];
  const entries = names.map((name) => ({ name, inputSchema: object }));
  let server: HostileServer;

  beforeAll(async () => {
    server = await HostileServer.start(entries);
  });

  afterAll(() => server.stop());

  it('times out without progress', async () => {
    const stand = await McpStand.start(
      endpoint(server.url, { timeoutMs: 300 }),
    );
    expect(await stand.run('here__hang')).toEqual(late);
    await stand.close();
  });

  it('continues as long as it reports progress, however often', async () => {
    const timeoutMs = 60_000;
    const stand = await McpStand.start(endpoint(server.url, { timeoutMs }));
    const steps: { detail: string }[] = [];
    const progress = (step: { detail: string }): void => {
      steps.push(step);
      jest.advanceTimersByTime(0.3 * timeoutMs);
    };
    // Of the timers, only those that limit something.
    jest.useFakeTimers({
      doNotFake: [
        'Date',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'clearImmediate',
        'setInterval',
        'clearInterval',
      ],
    });
    try {
      expect(await stand.run('here__stream', {}, { progress })).toEqual(done);
    } finally {
      jest.useRealTimers();
    }
    expect(steps.length).toBeGreaterThan(20);
    expect(steps[0].detail).toHaveLength(1_000);
    await stand.close();
  });

  it('times out despite progress after ten times the limit', async () => {
    const stand = await McpStand.start(
      endpoint(server.url, { timeoutMs: 200 }),
    );
    expect(await stand.run('here__stream')).toEqual(late);
    await stand.close();
  });
});
