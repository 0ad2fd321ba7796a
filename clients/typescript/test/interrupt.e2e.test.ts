import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { afterEach, after, before, describe, test } from 'node:test';
import { CLI, startCli } from './support/cli.ts';
import { post, read, startStand, type Stand } from './support/stand.ts';

const QUESTION = '짜장면의 역사를 자세히 알려줘';
const LIMIT = { timeout: 60_000 };
/** A research, and a response in the background, that never ends by itself. */
const STAY = {
  kind: 'stay',
  status: 'in_progress',
  count: 0,
  match: { background: true },
};

describe('Ctrl-C', () => {
  let stand: Stand;
  let env: Record<string, string>;
  before(async () => {
    stand = await startStand();
    env = {
      LITELLM_BASE_URL: stand.model,
      RELAY_BASE_URL: stand.relay,
      LC_ALL: 'C',
    };
  });
  after(() => stand.close());
  afterEach(() => post(`${stand.model}/sandbox/reset`));

  const fault = (kind: object) => post(`${stand.model}/sandbox/faults`, kind);
  const stats = () =>
    read<{ creates: number; cancels: number }>(`${stand.model}/sandbox/stats`);

  const kinds = {
    'a research in the foreground': ['--target', 'relay'],
    'a research in the background': ['--target', 'relay', '--background'],
    'a research as a stream': ['--target', 'relay', '--stream'],
    'a chat in the foreground': ['--target', 'relay', '--auto-tool-call'],
    'a chat in the background': [
      '--target',
      'relay',
      '--auto-tool-call',
      '--background',
    ],
    'a response in the background': ['--background'],
    'a research that the model called for': ['--auto-tool-call'],
  };

  for (const [kind, flags] of Object.entries(kinds))
    test(`without a terminal cancels ${kind}`, LIMIT, async () => {
      await fault(STAY);
      const { child, ended } = startCli({ args: [...flags, QUESTION], env });
      await until(async () => (await stats()).creates > 0);
      child.kill('SIGINT');
      const { exit, stdout, stderr } = await ended;
      assert.equal(exit, 130, stderr);
      assert.equal(stdout, '');
      assert.doesNotMatch(stderr, /sonde:/);
      await until(async () => (await stats()).cancels === 1);
    });

  test('just leaves what cannot be cancelled', LIMIT, async () => {
    await fault({ kind: 'hang', count: 0, match: { path: '/responses' } });
    const { child, ended } = startCli({ args: [QUESTION], env });
    await until(async () => {
      const asked = await read(`${stand.model}/sandbox/requests?last=1`);
      return JSON.stringify(asked).includes(QUESTION);
    });
    child.kill('SIGINT');
    assert.equal((await ended).exit, 130);
    assert.equal((await stats()).cancels, 0);
  });

  const hasScript =
    spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false;

  test(
    'on a terminal asks first, and goes on unless it is told to cancel',
    { ...LIMIT, skip: !hasScript && 'needs script of util-linux' },
    async () => {
      await fault(STAY);
      const terminal = startTerminal(['--target', 'relay', QUESTION], env);
      await until(async () => (await stats()).creates > 0);
      await terminal.shows('waiting, ');
      terminal.type('\x03');
      await terminal.shows('Cancel it?');
      terminal.type('n\n');
      await terminal.shows('waiting, ');
      assert.equal((await stats()).cancels, 0);
      terminal.type('\x03');
      await terminal.shows('Cancel it?');
      terminal.type('y\n');
      assert.equal(await terminal.ended, 130);
      await until(async () => (await stats()).cancels === 1);
    },
  );

  test(
    'on a terminal cancels when it is pressed twice',
    { ...LIMIT, skip: !hasScript && 'needs script of util-linux' },
    async () => {
      await fault(STAY);
      const args = ['--target', 'relay', '--background', QUESTION];
      const terminal = startTerminal(args, env);
      await terminal.shows('researching, ');
      await until(async () => (await stats()).creates > 0);
      terminal.type('\x03');
      await terminal.shows('Cancel it?');
      terminal.type('\x03');
      assert.equal(await terminal.ended, 130);
      await until(async () => (await stats()).cancels === 1);
    },
  );

  test(
    'on a terminal cancels at once where the prompt was typed to its end',
    { ...LIMIT, skip: !hasScript && 'needs script of util-linux' },
    async () => {
      await fault(STAY);
      const terminal = startTerminal(['--target', 'relay', '-'], env);
      terminal.type(`${QUESTION}\n\x04`);
      await until(async () => (await stats()).creates > 0);
      terminal.type('\x03');
      assert.equal(await terminal.ended, 130);
      await until(async () => (await stats()).cancels === 1);
    },
  );

  test(
    'on a terminal is forgotten where the answer comes first',
    { ...LIMIT, skip: !hasScript && 'needs script of util-linux' },
    async () => {
      const match = { background: true, method: 'POST' };
      await fault({ kind: 'hang', count: 0, match });
      const terminal = startTerminal(['--target', 'relay', QUESTION], env);
      await terminal.shows('waiting, ');
      terminal.type('\x03');
      await terminal.shows('Cancel it?');
      await fetch(`${stand.model}/sandbox/faults`, { method: 'DELETE' });
      await terminal.shows('[y/N] \r\n');
      await terminal.shows('# 짜장면의 역사');
      await terminal.shows('뽑아 쓴 글입니다._\r\n');
      assert.equal(await terminal.ended, 0);
    },
  );
});

/** The command line on a pseudo terminal. */
function startTerminal(args: string[], env: Record<string, string>) {
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`);
  // The shell of script would answer the signal too.
  const command = `exec ${words.join(' ')}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env },
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  return {
    type: (keys: string) => child.stdin.write(keys),
    /** Once `text` is there behind what was waited for before. */
    shows: async (text: string) => {
      await until(async () => shown.includes(text));
      shown = shown.slice(shown.indexOf(text) + text.length);
    },
    ended: new Promise<number | null>((resolve) =>
      child.on('close', (code) => resolve(code)),
    ),
  };
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const late = Date.now() + LIMIT.timeout;
  while (!(await isTrue())) {
    assert.ok(Date.now() < late, 'it never became true');
    await new Promise((wake) => setTimeout(wake, 20));
  }
}
