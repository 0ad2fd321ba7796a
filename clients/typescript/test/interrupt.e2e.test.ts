import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { afterEach, after, before, describe, test } from 'node:test';
import { CLI, runCli, startCli } from './support/cli.ts';
import { post, read, startStand, type Stand } from './support/stand.ts';

const QUESTION = '짜장면의 역사를 자세히 알려줘';
const LIMIT = { timeout: 60_000 };
/** A research run, or a background response, that never ends. */
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

  const relay = ['--target', 'relay'];
  const kinds: Record<string, { flags: string[]; id: string }> = {
    'a research run in the foreground': { flags: relay, id: 'inv_' },
    'a research run in the background': {
      flags: [...relay, '--background'],
      id: 'inv_',
    },
    'a streamed research run': { flags: [...relay, '--stream'], id: 'inv_' },
    'a chat in the foreground': { flags: [], id: 'chat_' },
    'a chat in the background': { flags: ['--background'], id: 'chat_' },
    'what a chat as a stream has researched': {
      flags: ['--stream'],
      id: 'inv_',
    },
    'a research run that the model started': {
      flags: ['--target', 'direct', '--auto-tool-call'],
      id: 'inv_',
    },
  };

  for (const [kind, { flags, id }] of Object.entries(kinds))
    test(
      `detaches from ${kind} and prints how to resume it`,
      LIMIT,
      async () => {
        await fault(STAY);
        const { child, ended } = startCli({ args: [...flags, QUESTION], env });
        let stderr = '';
        child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
        await until(async () => (await stats()).creates > 0);
        // A streamed chat is not stored; its tool run is found by its event.
        if (kind.includes('a chat as a stream'))
          await until(async () => stderr.includes('invocation_id: '));
        child.kill('SIGINT');
        const { exit, stdout, state } = await ended;
        assert.equal(exit, 130, stderr);
        assert.equal(stdout, '');
        const goesOn = new RegExp(
          `^sonde: (${id}\\w+) is still running and incurs cost until it ends\n` +
            '  to resume: sonde attach \\1\n  to cancel: sonde cancel \\1\n$',
          'm',
        );
        const [, run] = goesOn.exec(stderr) ?? assert.fail(stderr);
        assert.equal((await stats()).cancels, 0);
        const back = await runCli({ args: ['cancel', run!], env, state });
        assert.equal(back.exit, 0, back.stderr);
        await until(async () => (await stats()).cancels === 1);
      },
    );

  test('cancels a response, which cannot be resumed', LIMIT, async () => {
    await fault(STAY);
    const args = ['--target', 'direct', '--background', QUESTION];
    const { child, ended } = startCli({ args, env });
    await until(async () => (await stats()).creates > 0);
    child.kill('SIGINT');
    const { exit, stderr } = await ended;
    assert.equal(exit, 130, stderr);
    assert.match(stderr, /^sonde: resp_\w+ is cancelled; /m);
    await until(async () => (await stats()).cancels === 1);
  });

  test('exits if cancelling is not possible', LIMIT, async () => {
    await fault({ kind: 'hang', count: 0, match: { path: '/responses' } });
    const args = ['--target', 'direct', QUESTION];
    const { child, ended } = startCli({ args, env });
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
  const onTerminal = {
    ...LIMIT,
    skip: !hasScript && 'needs script of util-linux',
  };

  test(
    'on a terminal asks first, and continues on no',
    onTerminal,
    async () => {
      await fault(STAY);
      const terminal = startTerminal([...relay, QUESTION], env);
      await until(async () => (await stats()).creates > 0);
      await terminal.shows('waiting, ');
      terminal.type('\x03');
      await terminal.shows('to resume: sonde attach inv_');
      await terminal.shows('Cancel it now?');
      terminal.type('n\n');
      await terminal.shows('ing, ');
      assert.equal((await stats()).cancels, 0);
      terminal.type('\x03');
      await terminal.shows('Cancel it now?');
      terminal.type('y\n');
      await terminal.shows(
        'is cancelled; cost incurred so far is not refunded',
      );
      assert.equal(await terminal.ended, 130);
      await until(async () => (await stats()).cancels === 1);
    },
  );

  test('on a terminal detaches when pressed twice', onTerminal, async () => {
    await fault(STAY);
    const args = [...relay, '--background', QUESTION];
    const terminal = startTerminal(args, env);
    await until(async () => (await stats()).creates > 0);
    await terminal.shows('researching, ');
    terminal.type('\x03');
    await terminal.shows('Cancel it now?');
    terminal.type('\x03');
    await terminal.shows('is still running and incurs cost until it ends');
    assert.equal(await terminal.ended, 130);
    assert.equal((await stats()).cancels, 0);
  });

  test(
    'on a terminal detaches immediately if the prompt was read to end of input',
    onTerminal,
    async () => {
      await fault(STAY);
      const terminal = startTerminal([...relay, '-'], env);
      terminal.type(`${QUESTION}\n\x04`);
      await until(async () => (await stats()).creates > 0);
      terminal.type('\x03');
      await terminal.shows('is still running and incurs cost until it ends');
      assert.equal(await terminal.ended, 130);
      assert.equal((await stats()).cancels, 0);
    },
  );

  test(
    'on a terminal has no effect if the answer arrives first',
    onTerminal,
    async () => {
      const match = { background: true, method: 'POST' };
      await fault({ kind: 'hang', count: 0, match });
      const terminal = startTerminal([...relay, QUESTION], env);
      await terminal.shows('waiting, ');
      terminal.type('\x03');
      await terminal.shows('Cancel it now?');
      await fetch(`${stand.model}/sandbox/faults`, { method: 'DELETE' });
      await terminal.shows('[y/N] \r\n');
      await terminal.shows('# 짜장면의 역사');
      await terminal.shows('뽑아 쓴 글입니다._\r\n');
      assert.equal(await terminal.ended, 0);
    },
  );
});

/** Runs the command line on a pseudo terminal. */
function startTerminal(args: string[], env: Record<string, string>) {
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`);
  // The shell started by `script` would also receive the signal.
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
    /** Resolves once `text` appears after the last match. */
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
