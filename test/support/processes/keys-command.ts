import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** Jest runs this file as it is, and the chaos suite as built. */
const APP = __filename.endsWith('.ts')
  ? '../../../dist/src/app'
  : '../../../src/app';
const KEYS = join(__dirname, APP, 'cli/keys.js');

export interface KeysReply {
  code: number;
  /** What it prints, if that is JSON. */
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  errors: string;
}

/** `npm run keys`. */
export function keysCommand(
  env: Record<string, string>,
  ...args: string[]
): Promise<KeysReply> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [KEYS, ...args],
      { env: { PATH: process.env.PATH, RELAY_ENV_FILE: 'none', ...env } },
      (_error, stdout, errors) =>
        resolve({
          code: child.exitCode ?? 1,
          body: stdout === '' ? undefined : JSON.parse(stdout),
          errors,
        }),
    );
  });
}
