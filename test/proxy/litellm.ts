import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForeignServer } from '../support/processes/foreign-server';
import { freePort } from '../support/processes/free-port';
import { installPython } from './python';

/** They word the errors of their upstreams differently. */
export const VERSIONS = ['1.106', '1.108'] as const;
export type LiteLlmVersion = (typeof VERSIONS)[number];
const requirementsOf = (version: LiteLlmVersion): string =>
  join(__dirname, `requirements-${version}.txt`);
export const REQUIREMENTS = requirementsOf('1.106');

/** The proxy itself, with default settings except for models and a key. */
export class LiteLlm {
  private constructor(
    private readonly server: ForeignServer,
    private readonly folder: string,
  ) {}

  get url(): string {
    return this.server.url;
  }

  /** `upstream`: without `/v1`. `key`: the one that its callers need. */
  static async start(
    upstream: string,
    key: string,
    version: LiteLlmVersion,
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
    const program = join(python, 'litellm');
    const server = await ForeignServer.start(
      [program, '--config', config, '--host', '127.0.0.1', '--port', port],
      `http://127.0.0.1:${port}/health/liveliness`,
      environment(folder),
    );
    return new LiteLlm(server, folder);
  }

  async close(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true });
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
