import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
/** Installs in seconds what takes pip minutes. */
const INSTALLER = 'uv==0.13.9';

/** Installs once per list of requirements, with further options of the installer. Returns the folder of the programs. */
export async function installPython(
  name: string,
  requirements: string,
  ...more: string[]
): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(requirements));
  const home = join(
    ROOT,
    `data/cache/${name}-${hash.digest('hex').slice(0, 12)}`,
  );
  const programs = join(home, 'bin');
  const stamp = join(home, 'installed');
  if (existsSync(stamp)) return programs;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const python = join(programs, 'python');
  await run('python3', ['-m', 'venv', home]);
  await run(python, ['-m', 'pip', 'install', '--quiet', INSTALLER]);
  const options = ['--quiet', '--no-cache', '--python', python];
  await run(join(programs, 'uv'), [
    'pip',
    'install',
    ...options,
    ...more,
    '-r',
    requirements,
  ]);
  writeFileSync(stamp, '');
  return programs;
}
