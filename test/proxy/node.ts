import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = join(__dirname, '../../data/cache');
/** No package of a package is newer: what was installed once is installed again. */
const AS_OF = '2026-11-27T17:00:00Z';

/** Installs once per list of packages, with further options of npm. Returns the folder in which programs find them. */
export async function installNode(
  name: string,
  packages: string,
  ...more: string[]
): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(packages));
  const home = join(CACHE, `${name}-${hash.digest('hex').slice(0, 12)}`);
  const stamp = join(home, 'installed');
  if (existsSync(stamp)) return home;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  copyFileSync(packages, join(home, 'package.json'));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const dated = [...options, ...more, '--before', AS_OF];
  await run('npm', ['install', ...dated], { cwd: home });
  writeFileSync(stamp, '');
  return home;
}
