import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stand } from '../../support/processes/stand';
import { installNode } from '../node';

const run = promisify(execFile);

describe("the protocol's own suite of conformance, at /mcp without keys", () => {
  let stand: Stand;
  let suite: string;
  let results: string;

  beforeAll(async () => {
    const packages = join(__dirname, 'package.json');
    const home = await installNode('conformance', packages);
    suite = join(home, 'node_modules/.bin/conformance');
    results = mkdtempSync(join(tmpdir(), 'conformance-'));
    stand = await Stand.start();
  }, 900_000);
  afterAll(async () => {
    await stand?.stop();
    if (results) rmSync(results, { recursive: true });
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'passes what revision %s requires, but for the listed false alarms',
    async (revision) => {
      const server = ['server', '--url', `${stand.apis[0].url}/mcp`];
      const required = ['--requirements', revision, '-o', results];
      const known = [
        '--expected-failures',
        join(__dirname, 'false-alarms.yml'),
      ];
      const command = [suite, ...server, ...required, ...known];
      const { stdout } = await run(process.execPath, command);
      expect(stdout).toContain('Baseline check passed');
    },
  );
});
