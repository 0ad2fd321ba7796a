import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { installPython } from '../python';

const run = promisify(execFile);
const SECONDS = 900;
const KEY = 'the-key-of-alice';
const hash = createHash('sha256').update(KEY).digest('hex');

describe('schemathesis against openapi.json', () => {
  let stand: Stand;
  let program: string;
  let home: string;
  let admin: string;

  beforeAll(async () => {
    const requirements = join(__dirname, 'requirements.txt');
    const folder = await installPython('schemathesis', requirements);
    program = join(folder, 'schemathesis');
    home = mkdtempSync(join(tmpdir(), 'schemathesis-'));
    stand = await Stand.start({
      env: { RELAY_API_KEYS: `alice:${hash}`, RELAY_DOCS: 'public' },
    });
    const root = ['create', 'root', '--scopes', 'admin'];
    admin = (await keysCommand({ REDIS_URL: stand.redis.url }, ...root)).body
      .key;
  }, 900_000);
  afterAll(async () => {
    await stand?.stop();
    if (home) rmSync(home, { recursive: true });
  });

  it(
    `finds nothing in ${SECONDS} s but the listed false alarms`,
    async () => {
      const config = ['--config-file', join(__dirname, 'schemathesis.toml')];
      const at = ['run', `${stand.apis[0].url}/openapi.json`];
      const time = ['--no-color', '--max-time', String(SECONDS)];
      const { stdout } = await run(program, [...config, ...at, ...time], {
        cwd: home,
        env: { PATH: process.env.PATH, SONDE_KEY: KEY, SONDE_ADMIN_KEY: admin },
        maxBuffer: 64 * 1024 * 1024,
      }).catch(({ stdout: found }: { stdout: string }) => {
        throw new Error(found);
      });
      expect(stdout).toMatch(/ (\d+) generated, \1 passed/);
    },
    (SECONDS + 300) * 1000,
  );
});
