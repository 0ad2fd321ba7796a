import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCli, type Ended } from './support/cli.ts';
import { startProcess } from './support/processes.ts';
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
/** A run against the replay server. `state` and `keeps` are the token files before and after it, `input` is a file. */
interface Play extends Run {
  play: string;
  stdout?: string;
  input?: string;
  state?: Record<string, string>;
  keeps?: Record<string, string>;
}

const CONTRACT = new URL('../../contract/', import.meta.url);
const { usage, prints, runs, plays } = JSON.parse(
  readFileSync(new URL('cli.json', CONTRACT), 'utf8'),
) as Record<'usage' | 'prints' | 'runs', Run[]> & { plays: Play[] };
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
      const { stdout, stderr, exit } = await runCli(given(run));
      assert.deepEqual(
        { stdout, stderr, exit },
        { stdout: fileText(run.stdout_file!), stderr: '', exit: run.exit },
      );
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
        const ended = await runCli(
          given(run, (text) => filled(text, stand, file)),
        );
        checkEnd(run, ended, (text) => filled(text, stand));
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

describe('the command line, for', { concurrency: 2 }, () => {
  let replay: { url: string; close(): Promise<void> };
  before(async () => {
    replay = await startProcess('clients/contract/replay.mjs');
  });
  after(() => replay.close());

  for (const run of plays)
    test(run.name, { timeout: 60_000 }, async () => {
      const url = `${replay.url}/${run.play}`;
      const fill = (text: string) => text.replaceAll('{play}', url);
      const ended = await runCli({
        ...given(run, fill),
        ...stateOf(run, fill),
        input: run.input,
      });
      checkEnd(run, ended, fill);
      if (run.stdout !== undefined) assert.equal(ended.stdout, run.stdout);
      else checkStdout(run, ended.stdout);
      if (run.keeps)
        assert.deepEqual(
          ended.state,
          stateOf({ state: run.keeps }, fill).state,
        );
      const report = await (await fetch(`${url}/_report`)).json();
      assert.deepEqual(report, { ok: true, faults: [] });
    });
});

function filled(text: string, stand?: Stand, file?: string): string {
  return text
    .replaceAll('{relay}', stand?.relay ?? '{relay}')
    .replaceAll('{model}', stand?.model ?? '{model}')
    .replaceAll('{output}', file ?? '{output}');
}

function stateOf(run: Pick<Play, 'state'>, fill: (text: string) => string) {
  const files = Object.entries(run.state ?? {});
  return {
    state: Object.fromEntries(files.map(([id, text]) => [id, fill(text)])),
  };
}

function given(run: Run, fill = (text: string) => text) {
  const env = Object.entries(run.env ?? {});
  return {
    args: run.args.map(fill),
    env: Object.fromEntries(env.map(([name, value]) => [name, fill(value)])),
    stdin: Buffer.from(run.stdin_base64 ?? '', 'base64'),
    dotenv: run.dotenv === undefined ? undefined : fill(run.dotenv),
  };
}

function checkEnd(
  run: Run,
  ended: Ended,
  fill: (text: string) => string,
): void {
  const output = `${ended.stderr}\n${ended.stdout.slice(0, 500)}`;
  assert.equal(ended.exit, run.exit, output);
  if (run.stderr !== undefined) assert.equal(ended.stderr, fill(run.stderr));
  for (const text of run.stderr_contains ?? [])
    assert.ok(ended.stderr.includes(fill(text)), `${text} not in ${output}`);
  for (const text of run.stderr_lacks ?? [])
    assert.ok(!ended.stderr.includes(text), `${text} in ${output}`);
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
