import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = join(__dirname, '../../data/cache');

export function hasMaven(): boolean {
  return spawnSync('mvn', ['-v']).status === 0;
}

/** The class path of what a list of dependencies names, which Maven keeps in its local repository. */
export async function classPath(pom: string): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const file = join(CACHE, `${basename(pom, '.xml')}.classpath`);
  await run('mvn', [
    '--batch-mode',
    '--quiet',
    '--file',
    pom,
    'dependency:build-classpath',
    '-Dmdep.includeScope=runtime',
    `-Dmdep.outputFile=${file}`,
  ]);
  return readFileSync(file, 'utf8').trim();
}
