import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../support/client';
import { freePort } from '../../support/processes/free-port';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const EVERYTHING =
  require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
const SUM = 'everything__get-sum';
const LONG = 'everything__trigger-long-running-operation';
const IMAGE = 'everything__get-tiny-image';

interface Everything {
  /** Its entry in the configuration. */
  readonly entry: object;
  /** Kills it as a crash would, and restarts it unless the service does. */
  crash(workers: readonly { pid: number }[]): Promise<void>;
  stop(): Promise<void>;
}

/** Started by the service. */
async function overStdio(): Promise<Everything> {
  return {
    entry: { command: process.execPath, args: [EVERYTHING, 'stdio'] },
    crash: async (workers) => {
      for (const { pid } of workers)
        for (const child of childrenOf(pid)) process.kill(child, 'SIGKILL');
    },
    stop: async () => undefined,
  };
}

/** Started by the test. */
async function overHttp(): Promise<Everything> {
  const port = await freePort();
  let server = await serve(port);
  return {
    entry: { url: `http://127.0.0.1:${port}/mcp` },
    crash: async () => {
      await kill(server);
      server = await serve(port);
    },
    stop: () => kill(server),
  };
}

describe.each([
  ['stdio', overStdio],
  ['streamable HTTP', overHttp],
])('tools of an MCP server over %s', (_, start) => {
  let folder: string;
  let everything: Everything;
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-mcp-'));
    everything = await start();
    const file = join(folder, 'mcp.json');
    const mcpServers = { everything: everything.entry };
    writeFileSync(file, JSON.stringify({ mcpServers }));
    stand = await Stand.start({ env: { RELAY_MCP_CONFIG: file } });
    client = stand.client();
    await stand.lists(SUM);
  });
  afterEach(() => stand.reset());
  afterAll(async () => {
    await stand.stop();
    await everything.stop();
    rmSync(folder, { recursive: true });
  });

  const invoke = (tool_name: string, args: object, more: object = {}) =>
    client.post('/api/v1/tool-invocations', {
      tool_name,
      arguments: { ...args, ...more },
    });

  it('are listed with their schemas and their source', async () => {
    const { body } = await client.get('/api/v1/tools');
    expect(body.tools).toContainEqual(
      expect.objectContaining({
        name: SUM,
        source: 'mcp:everything',
        parameters: expect.objectContaining({
          properties: expect.objectContaining({
            a: expect.objectContaining({ type: 'number' }),
          }),
        }),
      }),
    );
  });

  it('can be called by the model of a chat', async () => {
    const { body } = await client.post('/api/v1/chat', {
      message: `[sandbox: call ${SUM} {"a": 19, "b": 23}] please`,
    });
    expect(body).toMatchObject({
      content: expect.stringContaining('42'),
      tool_called: true,
      tool_name: SUM,
      research_summary: null,
      tool_calls: [{ arguments: { a: 19, b: 23 }, status: 'completed' }],
    });
  });

  it('can be invoked over HTTP, and their images are stored', async () => {
    const { status, body } = await invoke(IMAGE, {});
    expect(status).toBe(200);
    expect(body.status).toBe('completed');
    expect(body.contents).toContainEqual({
      type: 'image',
      image: { data: expect.any(String), mime_type: 'image/png' },
    });
  });

  it('reject invalid arguments by their path', async () => {
    const { status, body } = await invoke(SUM, { a: 'nineteen', b: 23 });
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      {
        path: 'arguments.a',
        message: expect.any(String),
        code: 'wrong_type',
      },
    ]);
  });

  it('report progress', async () => {
    const { body } = await invoke(LONG, { duration: 1, steps: 4 });
    const events = await client.get(
      `/api/v1/tool-invocations/${body.invocation_id}/events`,
      { 'x-invocation-token': body.invocation_token },
    );
    expect(events.body).toMatch(/"type":"progress".*"kind":"mcp"/);
    expect(events.body).toMatch(/"total":4/);
  });

  it('fail with a tool error when their server dies in the middle of a call, and work again after it returns', async () => {
    const { body } = await invoke(
      LONG,
      { duration: 60, steps: 600 },
      { background: true },
    );
    const path = `/api/v1/tool-invocations/${body.invocation_id}`;
    const token = { 'x-invocation-token': body.invocation_token };
    // The call has begun at the server.
    await until(
      'the call to report progress',
      async (saw) => saw(await client.get(path, token)).body.progress,
    );
    await everything.crash(stand.workers);
    const ended = await client.settled(path, token);
    expect(ended.body).toMatchObject({
      status: 'failed',
      error: { code: 'tool_interrupted' },
      contents: [
        {
          type: 'value',
          value: { code: 'TOOL_INTERRUPTED', message: expect.any(String) },
        },
      ],
    });
    const next = await client.post('/api/v1/chat', {
      message: `[sandbox: call ${SUM} {"a": 1, "b": 2}] please`,
    });
    expect(next.body.tool_calls).toMatchObject([{ status: 'completed' }]);
  });
});

/** The processes that it has started, from the process table of Linux. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        return status.includes(`\nPPid:\t${parent}\n`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function serve(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: 'ignore',
  });
  await until(`the MCP server to listen on port ${port}`, () =>
    fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    ),
  );
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}
