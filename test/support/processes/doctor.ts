import { spawn } from 'node:child_process';
import { join } from 'node:path';

const DOCTOR = join(__dirname, '../../../dist/src/app/doctor.js');

/** Its exit status and its output. */
export async function doctor(env: Record<string, string>, ...flags: string[]) {
  const child = spawn(process.execPath, [DOCTOR, ...flags], {
    env: { PATH: process.env.PATH, RELAY_ENV_FILE: 'none', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, lines: output.trimEnd().split('\n') };
}
