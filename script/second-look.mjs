// Usage: node script/second-look.mjs RESULTS STEP...
// The one failed test of a run, if there is no more than one, is run ten times more, alone, after everything else has ended.
// Exits with 0 if all ten pass, and names the test: its cause is to be mended all the same. Files about money,
// purchases or tenants have no second look, nor have faults and chaos. STEP: the steps of script/test that failed.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const TIMES = 10;
/** Step of script/test -> its results, and the project of Jest. */
const STEPS = {
  'unit tests': ['unit', 'unit'],
  'end-to-end tests': ['e2e', 'e2e'],
  'the other end-to-end tests': ['other-e2e', 'e2e'],
  'browser tests, main paths': ['main-paths', 'browser'],
  'the other browser tests': ['browser', 'browser'],
};
/** What a test file speaks of if purchases, money or tenants are its matter. */
const NEVER = /\bcreates\b|purchase|\bcost|\busd|budget|API_KEYS|tenant/i;

const [results, ...steps] = process.argv.slice(2);
if (steps.length !== 1 || !(steps[0] in STEPS)) process.exit(1);
const [name, project] = STEPS[steps[0]];

const read = JSON.parse(readFileSync(join(results, `${name}.json`)));
const failed = read.testResults.flatMap(({ name: file, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status === 'failed')
    .map((test) => ({ ...test, file: relative(process.cwd(), file) })),
);
if (failed.length !== 1 || read.numRuntimeErrorTestSuites > 0) process.exit(1);

const [{ file, fullName, failureMessages }] = failed;
if (NEVER.test(file + readFileSync(file, 'utf8'))) {
  console.log(`second look: none for ${file}`);
  process.exit(1);
}
const pattern = `^${fullName.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
const script = project === 'unit' ? 'test' : `test:${project}`;
for (let n = 1; n <= TIMES; n += 1) {
  const args = ['run', '--silent', script, '--', '--forceExit', file];
  const { status, stdout, stderr } = spawnSync(
    'npm',
    [...args, '-t', pattern, '--json'],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  // A pattern that matches nothing passes as well.
  const passed = /"numPassedTests":1\b/.test(stdout);
  if (status === 0 && passed) continue;
  console.log(`second look: failed again, ${n} of ${TIMES}: ${fullName}`);
  console.log(stderr.slice(-4_000));
  process.exit(1);
}
// Counted by .ci/run like the results of a project.
const counts = { numPassedTests: 1, numFailedTests: -1 };
writeFileSync(
  join(results, 'second-look.json'),
  JSON.stringify({ ...counts, numRuntimeErrorTestSuites: 0 }),
);
console.log(`second look: failed once, passed ${TIMES} of ${TIMES} alone:
${file} › ${fullName}
${failureMessages.join('\n').slice(0, 2_000)}`);
