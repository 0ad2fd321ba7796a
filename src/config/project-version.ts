import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version in package.json. Works from the sources and from the build. */
export function projectVersion(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
