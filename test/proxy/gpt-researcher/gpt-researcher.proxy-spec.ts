import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stand } from '../../support/processes/stand';
import { installPython } from '../python';

const run = promisify(execFile);

describe('GPT Researcher with Sonde as its models', () => {
  let python: string;
  let home: string;

  beforeAll(async () => {
    const requirements = join(__dirname, 'requirements.txt');
    const folder = await installPython('gpt-researcher', requirements);
    python = join(folder, 'python');
    // It leaves logs where it runs.
    home = mkdtempSync(join(tmpdir(), 'gpt-researcher-'));
  }, 900_000);
  afterAll(() => home && rmSync(home, { recursive: true }));

  it.each([0.1, 90])(
    'searches by itself, and has its report from research of %d s, bought once',
    async (seconds) => {
      const stand = await Stand.start({
        researchMs: seconds * 1000,
        env: {
          RELAY_CHAT_MODELS: 'gpt-4.1',
          RELAY_EMBEDDING_MODELS: 'text-embedding-3-small',
        },
      });
      try {
        const base = `${stand.apis[0].url}/v1`;
        const program = ['-I', join(__dirname, 'report.py'), base, 'any'];
        const { stdout } = await run(python, [...program, stand.sandbox.url], {
          cwd: home,
          env: { PATH: process.env.PATH, HOME: home },
        });
        const page = `${stand.sandbox.url}/pages/en/kimchi`;
        expect(stdout).toContain(page);
        expect(stdout).toContain('intangible heritage in 2013');
        expect((await stand.stats()).creates).toBe(1);
      } finally {
        await stand.stop();
      }
    },
    900_000,
  );
});
