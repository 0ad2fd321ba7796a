import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Given {
  args: string[];
  env?: Record<string, string>;
  stdin?: Uint8Array;
  /** The text of `~/.env`. */
  dotenv?: string;
  /** The text of a file whose path replaces `{input}` in the arguments. */
  input?: string;
  /** Token files, by run id. */
  state?: Record<string, string>;
}

export interface Ended {
  stdout: string;
  stderr: string;
  exit: number | null;
  state: Record<string, string>;
}

const STATE = '.local/state/sonde';

/** Starts the command line with its own home directory, no other settings and no terminal. */
export function startCli(given: Given) {
  const { args, env = {}, stdin, dotenv, input, state } = given;
  const home = mkdtempSync(join(tmpdir(), 'sonde-cli-'));
  if (dotenv !== undefined) writeFileSync(join(home, '.env'), dotenv);
  if (state) writeFiles(join(home, STATE), state);
  const file = join(home, 'input');
  if (input !== undefined) writeFileSync(file, input);
  const all = args.map((arg) => arg.replace('{input}', file));
  const child = spawn(process.execPath, [CLI, ...all], {
    cwd: home,
    env: { HOME: home, USERPROFILE: home, ...env },
  });
  child.stdin.on('error', () => undefined).end(stdin);
  const ended = Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]).then(([stdout, stderr, [exit]]): Ended => {
    const state = filesIn(join(home, STATE));
    rmSync(home, { recursive: true });
    return { stdout, stderr, exit: exit as number | null, state };
  });
  return { child, ended, home };
}

export function runCli(given: Given): Promise<Ended> {
  return startCli(given).ended;
}

function writeFiles(folder: string, files: Record<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [id, text] of Object.entries(files))
    writeFileSync(join(folder, id), text);
}

function filesIn(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder).map((id) => join(folder, id));
  return Object.fromEntries(
    files.map((file) => [basename(file), readFileSync(file, 'utf8')]),
  );
}
