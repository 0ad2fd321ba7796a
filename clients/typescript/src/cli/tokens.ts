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

/** Exceeds the retention of records in any service, in milliseconds. */
const RETENTION_MS = 30 * 86_400_000;
const ID = /^[A-Za-z0-9_-]{1,200}$/;

/** Environment variable with the token of a run started elsewhere. */
export const TOKEN = 'RELAY_INVOCATION_TOKEN';

/**
 * Stores the tokens of runs started without an API key, one file per run, readable by its owner only. The first line
 * is the token, the second the base URL of the service; the token is never sent to another service.
 */
export class Tokens {
  private readonly folder = folderOf(process.env);

  constructor(private readonly sonde: Endpoint & { token?: string }) {}

  /** Stores the token. Returns the prefix of commands that resume the run, which is empty if the token was stored. */
  save(id: string, token: string | null): string {
    if (this.sonde.apiKey || token === null) return '';
    try {
      const { folder } = this;
      if (folder === undefined || !ID.test(id)) throw new Error('no place');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      deleteExpired(folder);
      const text = `${token}\n${this.sonde.baseUrl}\n`;
      writeFileSync(join(folder, id), text, { mode: 0o600 });
      return '';
    } catch {
      return `${TOKEN}=${token} `;
    }
  }

  /** Returns the token of a run, if it is known. */
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

/** Deletes tokens whose records have expired. */
function deleteExpired(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    try {
      if (Date.now() - statSync(file).mtimeMs > RETENTION_MS) unlinkSync(file);
    } catch {
      // Another process has deleted the file.
    }
  }
}
