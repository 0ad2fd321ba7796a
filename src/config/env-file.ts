import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';
import { ConfigError } from './environment';

const NAME = 'RELAY_ENV_FILE';
const NONE = 'none';

/**
 * Reads `./.env`, or where there is none `~/.env`; RELAY_ENV_FILE names another file, or `none`. What the process was
 * started with stands: a file only adds to it.
 * @returns the path of the file that was read.
 */
export function readEnvFile(): string | undefined {
  const { [NAME]: given, HOME } = process.env;
  if (given === NONE) return undefined;
  const places = given
    ? [given]
    : ['.env', ...(HOME ? [join(HOME, '.env')] : [])];
  const path = places.find(isFile);
  if (path === undefined && given)
    throw new ConfigError(
      `${NAME} names a file that is not there. Example: ./.env, or ${NONE}`,
    );
  if (path === undefined) return undefined;
  try {
    loadEnvFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `${path} cannot be read (${code}). Example: ${NAME}=${NONE} to do without`,
    );
  }
  return path;
}

/** Also a named pipe, which password managers offer. */
function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}
