import { spawn } from 'node:child_process';
import { join } from 'node:path';

const DOCTOR = join(__dirname, '../../../dist/src/app/doctor.js');

/** Its exit status and its output. */
export async function doctor(env: Record<string, string>, ...flags: string[]) {
  const child = start(env, flags);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, lines: output.trimEnd().split('\n') };
}

/** The same where nothing reads its output, as behind a pipe whose reader has ended. */
export async function unreadDoctor(env: Record<string, string>) {
  const child = start(env);
  child.stdout.destroy();
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, errors };
}

function start(env: Record<string, string>, flags: string[] = []) {
  return spawn(process.execPath, [DOCTOR, ...flags], {
    env: { PATH: process.env.PATH, RELAY_ENV_FILE: 'none', ...env },
  });
}
