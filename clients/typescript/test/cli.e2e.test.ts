import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCli } from './support/cli.ts';
import { post, startStand, type Stand } from './support/stand.ts';

interface Run {
  name: string;
  args: string[];
  env?: Record<string, string>;
  dotenv?: string;
  stdin_base64?: string;
  faults?: unknown[];
  stderr?: string;
  stderr_contains?: string[];
  stderr_lacks?: string[];
  stdout_file?: string;
  stdout_json?: unknown;
  stdout_json_first?: unknown;
  stdout_json_last?: unknown;
  stdout_contains?: string[];
  output_file?: string;
  output_json?: unknown;
  exit: number;
}

const CONTRACT = new URL('../../contract/', import.meta.url);
const { usage, prints, runs } = JSON.parse(
  readFileSync(new URL('cli.json', CONTRACT), 'utf8'),
) as Record<'usage' | 'prints' | 'runs', Run[]>;
const fileText = (name: string) =>
  readFileSync(new URL(`cli/${name}`, CONTRACT), 'utf8');

describe('a usage error of the command line:', { concurrency: 2 }, () => {
  for (const run of usage)
    test(run.name, async () => {
      const { stdout, stderr, exit } = await runCli(given(run));
      assert.deepEqual(
        { stdout, stderr, exit },
        { stdout: '', stderr: run.stderr, exit: run.exit },
      );
    });
});

describe('the command line prints', { concurrency: 2 }, () => {
  for (const run of prints)
    test(run.name, async () => {
      const ended = await runCli(given(run));
      const stdout = fileText(run.stdout_file!);
      assert.deepEqual(ended, { stdout, stderr: '', exit: run.exit });
    });
});

describe('the command line, with', () => {
  let stand: Stand;
  let folder: string;
  before(async () => {
    stand = await startStand();
    folder = mkdtempSync(join(tmpdir(), 'sonde-output-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await stand.close();
  });

  runs.forEach((run, n) => {
    test(run.name, { timeout: 60_000 }, async () => {
      const file = join(folder, `${n}`);
      for (const fault of run.faults ?? [])
        await post(`${stand.model}/sandbox/faults`, fault);
      try {
        const ended = await runCli(given(run, { stand, file }));
        const told = `${ended.stderr}\n${ended.stdout.slice(0, 500)}`;
        assert.equal(ended.exit, run.exit, told);
        for (const text of run.stderr_contains ?? [])
          assert.ok(ended.stderr.includes(text), `${text} not in ${told}`);
        for (const text of run.stderr_lacks ?? [])
          assert.ok(!ended.stderr.includes(text), `${text} in ${told}`);
        checkStdout(run, ended.stdout);
        if (run.output_file)
          assert.equal(readFileSync(file, 'utf8'), fileText(run.output_file));
        if (run.output_json)
          holds(oneLine(readFileSync(file, 'utf8')), run.output_json);
      } finally {
        if (run.faults) await post(`${stand.model}/sandbox/reset`);
      }
    });
  });
});

function given(run: Run, at?: { stand: Stand; file: string }) {
  const fill = (text: string) =>
    text
      .replaceAll('{relay}', at?.stand.relay ?? '{relay}')
      .replaceAll('{model}', at?.stand.model ?? '{model}')
      .replaceAll('{output}', at?.file ?? '{output}');
  const env = Object.entries(run.env ?? {});
  return {
    args: run.args.map(fill),
    env: Object.fromEntries(env.map(([name, value]) => [name, fill(value)])),
    stdin: Buffer.from(run.stdin_base64 ?? '', 'base64'),
    dotenv: run.dotenv === undefined ? undefined : fill(run.dotenv),
  };
}

function checkStdout(run: Run, stdout: string): void {
  if (run.stdout_file) assert.equal(stdout, fileText(run.stdout_file));
  else if (run.stdout_json) holds(oneLine(stdout), run.stdout_json);
  else if (run.stdout_json_first) {
    const lines = stdout.trimEnd().split('\n');
    holds(JSON.parse(lines[0]!), run.stdout_json_first);
    holds(JSON.parse(lines.at(-1)!), run.stdout_json_last);
  } else if (run.stdout_contains)
    for (const text of run.stdout_contains) assert.ok(stdout.includes(text));
  else assert.equal(stdout, '');
}

function oneLine(text: string): unknown {
  assert.match(text, /^[^\n]+\n$/);
  return JSON.parse(text);
}

function holds(got: unknown, expected: unknown): void {
  if (typeof expected !== 'object' || expected === null)
    return assert.deepEqual(got, expected);
  for (const [name, value] of Object.entries(expected))
    holds((got as Record<string, unknown>)[name], value);
}
