import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stand } from '../../support/processes/stand';
import { installPython } from '../python';

const run = promisify(execFile);
const ROOT = join(__dirname, '../../..');
const GENERATOR = 'openapi-generator-cli';
const VERSION = '7.25.0';
const KEY = 'the-key-of-alice';
const hash = createHash('sha256').update(KEY).digest('hex');

/** A library of the generator for Java is a client of its own. */
const CLIENTS = ['native', 'restclient', 'typescript-fetch', 'python', 'go'];

describe('clients that openapi-generator makes of openapi.json', () => {
  let stand: Stand;
  let folder: string;
  let jar: string;

  beforeAll(async () => {
    const cache = join(ROOT, 'data/cache');
    mkdirSync(cache, { recursive: true });
    // Below the project, so that what is generated finds its packages.
    folder = mkdtempSync(join(cache, 'generated-'));
    jar = join(cache, GENERATOR, `${GENERATOR}-${VERSION}.jar`);
    await run('mvn', [
      '-q',
      '-B',
      'dependency:copy',
      `-Dartifact=org.openapitools:${GENERATOR}:${VERSION}`,
      `-DoutputDirectory=${join(jar, '..')}`,
    ]);
    stand = await Stand.start({
      researchMs: 100,
      env: { RELAY_API_KEYS: `alice:${hash}` },
    });
  });
  afterAll(async () => {
    await stand?.stop();
    if (folder) rmSync(folder, { recursive: true });
  });
  afterEach(() => stand.reset());

  /** The folder of the client. */
  async function generate(name: string): Promise<string> {
    const home = join(folder, name);
    const isJava = ['native', 'restclient'].includes(name);
    await run('java', [
      '-jar',
      jar,
      'generate',
      '-i',
      join(ROOT, 'openapi.json'),
      '-o',
      home,
      ...(isJava ? ['-g', 'java', '--library', name] : ['-g', name]),
      '--git-host=client.example',
      '--git-user-id=sonde',
      '--git-repo-id=generated',
      '--global-property=apiDocs=false,modelDocs=false,apiTests=false,modelTests=false',
    ]);
    return home;
  }

  async function java(home: string, program: string): Promise<string[]> {
    cpSync(
      join(__dirname, `${program}.java`),
      join(home, `src/main/java/${program}.java`),
    );
    const path = join(home, 'path.txt');
    const goals = ['compile', 'dependency:build-classpath'];
    const options = ['-q', '-B', `-Dmdep.outputFile=${path}`];
    await run('mvn', [...options, ...goals], { cwd: home });
    const classes = `${join(home, 'target/classes')}:${readFileSync(path, 'utf8')}`;
    return ['java', '-cp', classes, program];
  }

  /** Compiles the client with its program. Returns what starts it. */
  const BUILT: Record<string, (home: string) => Promise<string[]>> = {
    native: (home) => java(home, 'Native'),
    restclient: (home) => java(home, 'Restclient'),
    'typescript-fetch': async (home) => {
      const program = join(folder, 'research.ts');
      cpSync(join(__dirname, 'research.js'), program);
      const out = join(home, 'compiled');
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      const options = `--ignoreConfig --strict --target es2023 --module nodenext --moduleResolution nodenext --types node --outDir ${out}`;
      await run(process.execPath, [tsc, ...options.split(' '), program]);
      return [process.execPath, join(out, 'research.js')];
    },
    python: async (home) => {
      const requirements = join(__dirname, 'requirements.txt');
      const programs = await installPython('generated', requirements);
      const program = join(__dirname, 'research.py');
      return [join(programs, 'python'), program, home];
    },
    go: async (home) => {
      const main = join(home, 'cmd/research/main.go');
      cpSync(join(__dirname, 'research.go'), main);
      const program = join(home, 'research');
      const args = ['build', '-o', program, './cmd/research'];
      await run('go', args, { cwd: home });
      return [program];
    },
  };

  it.each(CLIENTS)(
    'asks, waits and reads the report, and chats: %s',
    async (name) => {
      const [program, ...args] = await BUILT[name](await generate(name));
      const { stdout } = await run(program, [...args, stand.apis[0].url, KEY]);
      const [status, title, reply] = stdout.trim().split('\n');
      expect(status).toBe('completed');
      expect(title).toMatch(/^# /);
      expect(reply).toBeTruthy();
      expect((await stand.stats()).creates).toBe(1);
    },
    900_000,
  );
});
