import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until';
import { installPython } from './python';

/** They word the errors of their upstreams differently. */
export const VERSIONS = ['1.106', '1.108'] as const;
export type LiteLlmVersion = (typeof VERSIONS)[number];
const requirementsOf = (version: LiteLlmVersion): string =>
  join(__dirname, `requirements-${version}.txt`);
export const REQUIREMENTS = requirementsOf('1.106');
/** LiteLLM loads a hundred packages. */
const START_MS = 240_000;
const LAST_WORDS = 4_000;

/** The proxy itself, with default settings except for models and a key. */
export class LiteLlm {
  private output = '';

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => {
        this.output = (this.output + String(chunk)).slice(-LAST_WORDS);
      });
  }

  /** `upstream`: without `/v1`. `key`: the one that its callers need. */
  static async start(
    upstream: string,
    key: string,
    version: LiteLlmVersion = '1.106',
  ): Promise<LiteLlm> {
    const python = await installPython('litellm', requirementsOf(version));
    const folder = mkdtempSync(join(tmpdir(), 'litellm-'));
    const config = join(folder, 'config.json');
    const model = (name: string) => ({
      model_name: name,
      litellm_params: {
        model: `openai/${name}`,
        api_base: `${upstream}/v1`,
        api_key: 'key-of-the-upstream',
      },
    });
    // JSON, which is valid YAML.
    writeFileSync(
      config,
      JSON.stringify({
        model_list: [model('o3-deep-research'), model('gpt-4o')],
        general_settings: { master_key: key },
      }),
    );
    const port = String(await freePort());
    const child = spawn(
      join(python, 'litellm'),
      ['--config', config, '--host', '127.0.0.1', '--port', port],
      { env: environment(folder), stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const proxy = new LiteLlm(`http://127.0.0.1:${port}`, child, folder);
    await proxy.ready();
    return proxy;
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exited;
    }
    rmSync(this.folder, { recursive: true });
  }

  private ready(): Promise<true> {
    return until(
      'LiteLLM to be alive',
      async () => {
        if (this.child.exitCode !== null) throw new Error(this.output);
        const reply = await fetch(`${this.url}/health/liveliness`).catch(
          () => undefined,
        );
        return reply?.ok === true;
      },
      START_MS,
    );
  }
}

/** No environment of the caller, and no network beyond this machine. */
function environment(folder: string): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9';
  return {
    PATH: process.env.PATH,
    HOME: folder,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: '127.0.0.1',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    LITELLM_TELEMETRY: 'False',
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
