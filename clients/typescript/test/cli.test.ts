import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI, runCli } from './support/cli.ts';
import { serve } from './support/serve.ts';

test('the answer is printed even if standard error is closed', async (t) => {
  const reply = {
    invocation_id: 'inv_1',
    invocation_token: 'ivt_1',
    status: 'completed',
    output_text: 'the report',
    upstream_response_id: 'resp_1',
  };
  const baseUrl = await serve(t, (_, response) => {
    child.stderr.destroy();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply));
  });
  const child = spawn(
    process.execPath,
    [CLI, '--target', 'relay', 'a question'],
    { env: { HOME: '/nonexistent', RELAY_BASE_URL: baseUrl } },
  );
  const [stdout, [exit]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit'),
  ]);
  assert.deepEqual({ stdout, exit }, { stdout: 'the report\n', exit: 0 });
});

test('no settings file is read without a home directory', async () => {
  const dotenv = 'LITELLM_BASE_URL=no URL';
  const { stderr, exit } = await runCli({
    args: ['--target', 'direct', 'a question'],
    env: { HOME: '', USERPROFILE: '' },
    dotenv,
  });
  assert.deepEqual(
    { stderr, exit },
    {
      stderr:
        'sonde: LITELLM_BASE_URL is not set, e.g. https://api.openai.com/v1\n',
      exit: 2,
    },
  );
});

test('an endpoint without background mode returns the finished response', async (t) => {
  const content = [{ type: 'output_text', text: 'the answer' }];
  const reply = {
    id: 'resp_1',
    status: 'completed',
    output: [{ type: 'message', content }],
  };
  const baseUrl = await serve(t, ({ method }, response) => {
    const status = method === 'POST' ? 200 : 404;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply));
  });
  const { stdout, stderr, exit } = await runCli({
    args: ['--target', 'direct', '--background', 'a question'],
    env: { LITELLM_BASE_URL: baseUrl },
  });
  assert.deepEqual(
    { stdout, stderr, exit },
    { stdout: 'the answer\n', stderr: 'response_id: resp_1\n', exit: 0 },
  );
});

test('token files are readable by their owner only', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'sonde-state-'));
  t.after(() => rmSync(home, { recursive: true }));
  const reply = {
    invocation_id: 'inv_1',
    invocation_token: 'ivt_1',
    status: 'completed',
    output_text: 'the report',
  };
  const baseUrl = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply));
  });
  const folder = join(home, 'sonde');
  mkdirSync(folder);
  writeFileSync(join(folder, 'inv_0'), 'ivt_0\n');
  utimesSync(join(folder, 'inv_0'), 0, 0);
  const { exit } = await runCli({
    args: ['--target', 'relay', 'a question'],
    env: { RELAY_BASE_URL: baseUrl, XDG_STATE_HOME: home },
  });
  assert.equal(exit, 0);
  // Tokens older than any record are deleted.
  assert.deepEqual(readdirSync(folder), ['inv_1']);
  assert.equal(statSync(join(folder, 'inv_1')).mode & 0o777, 0o600);
});
