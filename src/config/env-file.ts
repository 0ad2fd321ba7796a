import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from './environment';
import { readTextFile } from './files/text-file';

const NAME = 'RELAY_ENV_FILE';
const NONE = 'none';

/**
 * Reads `./.env`, or `~/.env` if it does not exist; RELAY_ENV_FILE names another file, or `none`. Variables of the
 * process take precedence over those of the file.
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
      `${NAME} names a file that does not exist. Example: ./.env, or ${NONE}`,
    );
  if (path === undefined) return undefined;
  try {
    const values = parseEnv(readTextFile(path));
    for (const [variable, value] of Object.entries(values))
      process.env[variable] ??= value;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `${path} cannot be read (${code}). Example: ${NAME}=${NONE} to do without`,
    );
  }
  return path;
}

/** A named pipe also counts as a file: password managers use them. */
function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}
