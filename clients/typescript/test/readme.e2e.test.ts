import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startStand } from './support/stand.ts';

const HOME = new URL('..', import.meta.url);

test('the programs of the README work as written', async (t) => {
  const stand = await startStand();
  t.after(() => stand.close());
  const readme = readFileSync(new URL('README.md', HOME), 'utf8');
  const blocks = Array.from(
    readme.matchAll(/```js\n(.*?)```/gs),
    ([, js]) => js,
  );
  const program = blocks
    .join('\n')
    .replace('http://127.0.0.1:8080', stand.relay)
    .replace('http://127.0.0.1:4010', stand.model);
  // A package can import itself by its name only from within its own folder.
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: HOME,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(program);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
  ]);
  assert.equal(stderr, '');
  for (const words of ['짜장면은', 'completed', 'Hello!', 'validation_failed'])
    assert.ok(stdout.includes(words), `${words} is not in ${stdout}`);
});
