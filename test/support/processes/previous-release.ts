import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');
/** The last commit of the previous release. It runs with the packages of this release. */
const PREVIOUS = '679eaa83';
/** The last commit with records of schema 1 whose processes leave newer records alone. The previous release does not look. */
const SCHEMA_1 = 'fa79ae48';
/** Ignored by git, and below the packages, so that they resolve. */
const CACHE = join(ROOT, 'node_modules/.cache/sonde');

/**
 * ⏎ The folder with the built processes of the previous release; undefined without the history that holds it.
 * @throws where the history is required, as in CI.
 */
export function previousRelease(): string | undefined {
  return built(PREVIOUS, 'dist/src');
}

/** As `previousRelease`, of the last build that knows records of schema 1 only. */
export function schema1Build(): string | undefined {
  return built(SCHEMA_1, 'dist/src/app');
}

function built(commit: string, folder: string): string | undefined {
  const home = join(CACHE, commit);
  if (!existsSync(home)) {
    const archive = readArchive(commit);
    if (!archive) return undefined;
    build(archive, home);
  }
  return join(home, folder);
}

function readArchive(commit: string): Buffer | undefined {
  try {
    return execFileSync(
      'git',
      ['archive', commit, 'src', 'sandbox', 'tsconfig.json'],
      { cwd: ROOT, maxBuffer: 2 ** 27, stdio: ['ignore', 'pipe', 'ignore'] },
    );
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    return undefined;
  }
}

/** Without type checks, which were done at its release. */
function build(archive: Buffer, home: string): void {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  execFileSync('tar', ['-x', '-C', draft], { input: archive });
  const read = (path: string): string =>
    readFileSync(join(draft, path), 'utf8');
  const { config } = ts.parseConfigFileTextToJson('', read('tsconfig.json'));
  const compilerOptions = { ...config.compilerOptions, sourceMap: false };
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, draft);
  const files = readdirSync(draft, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((path) => /(?<!\.spec)\.ts$/.test(path))) {
    const { outputText } = ts.transpileModule(read(file), {
      compilerOptions: options,
      fileName: file,
    });
    const built = join(draft, 'dist', file.replace(/ts$/, 'js'));
    mkdirSync(dirname(built), { recursive: true });
    writeFileSync(built, outputText);
  }
  renameSync(draft, home);
}
