import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Endpoint } from './settings.js';

/** Longer than any service keeps a record, in milliseconds. */
const KEPT_MS = 30 * 86_400_000;
const ID = /^[A-Za-z0-9_-]{1,200}$/;

/** The variable that has the token of a run which was begun elsewhere. */
export const TOKEN = 'RELAY_INVOCATION_TOKEN';

/**
 * What opens runs that were begun without an API key: a file for each, which nobody else can read. Its first line is the
 * token, its second the base URL of the service; no other service is ever sent the token.
 */
export class Tokens {
  private readonly folder = folderOf(process.env);

  constructor(private readonly sonde: Endpoint & { token?: string }) {}

  /** Keeps it, and returns what has to stand before a command that comes back to the run. */
  keep(id: string, token: string | null): string {
    if (this.sonde.apiKey || token === null) return '';
    try {
      const { folder } = this;
      if (folder === undefined || !ID.test(id)) throw new Error('no place');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      sweep(folder);
      const text = `${token}\n${this.sonde.baseUrl}\n`;
      writeFileSync(join(folder, id), text, { mode: 0o600 });
      return '';
    } catch {
      return `${TOKEN}=${token} `;
    }
  }

  /** The token of a run, if it is known. */
  of(id: string): string | undefined {
    if (this.sonde.token !== undefined) return this.sonde.token;
    try {
      const text = readFileSync(join(this.folder ?? '', id), 'utf8');
      const [token, baseUrl] = text.split('\n');
      return baseUrl === this.sonde.baseUrl ? token : undefined;
    } catch {
      return undefined;
    }
  }
}

function folderOf(env: NodeJS.ProcessEnv): string | undefined {
  const state = env.XDG_STATE_HOME ?? '';
  if (isAbsolute(state)) return join(state, 'sonde');
  const home = homedir();
  return home === '' ? undefined : join(home, '.local', 'state', 'sonde');
}

/** Forgets what nothing is kept for any more. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    try {
      if (Date.now() - statSync(file).mtimeMs > KEPT_MS) unlinkSync(file);
    } catch {
      // Another process was faster.
    }
  }
}
