import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Given {
  args: string[];
  env?: Record<string, string>;
  stdin?: Uint8Array;
  /** The text of `~/.env`. */
  dotenv?: string;
}

export interface Ended {
  stdout: string;
  stderr: string;
  exit: number | null;
}

/** A process of the command line with a home of its own, no other settings, and nothing of it a terminal. */
export function startCli({ args, env = {}, stdin, dotenv }: Given) {
  const home = mkdtempSync(join(tmpdir(), 'sonde-cli-'));
  if (dotenv !== undefined) writeFileSync(join(home, '.env'), dotenv);
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: home,
    env: { HOME: home, USERPROFILE: home, ...env },
  });
  child.stdin.on('error', () => undefined).end(stdin);
  const ended = Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]).then(([stdout, stderr, [exit]]): Ended => {
    rmSync(home, { recursive: true });
    return { stdout, stderr, exit: exit as number | null };
  });
  return { child, ended, home };
}

export function runCli(given: Given): Promise<Ended> {
  return startCli(given).ended;
}
