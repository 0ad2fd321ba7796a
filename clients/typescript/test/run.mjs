// Runs the tests with the Node.js that npm puts first in the path; TypeScript needs 22.18 or newer.
// With TEST_RESULTS=<directory>, client-typescript.xml is left there.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const results = process.env.TEST_RESULTS;
const reporters = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
];
if (results)
  reporters.push(
    '--test-reporter=junit',
    `--test-reporter-destination=${join(results, 'client-typescript.xml')}`,
  );
const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=2', ...reporters, 'test/**/*.test.ts'],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' },
);
process.exitCode = status ?? 1;
