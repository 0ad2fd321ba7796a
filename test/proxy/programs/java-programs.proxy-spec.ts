import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Stand } from '../../support/processes/stand';
import { classPath, hasMaven } from '../java';

const run = promisify(execFile);
const KEY = 'the-key-of-alice';
const hash = createHash('sha256').update(KEY).digest('hex');

/** Each is `java/<name>.java` with the dependencies of `java/<name>.xml`. */
const PROGRAMS = ['OpenaiJava', 'Langchain4j', 'SpringAi'];

const isWanted = hasMaven() || process.env.CI === 'true';
if (!isWanted)
  process.stderr.write('Maven is not installed: its tests are left out\n');

(isWanted ? describe : describe.skip)(
  'ordinary programs in Java, with another base URL and key',
  () => {
    let stand: Stand;
    let home: string;

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'programs-'));
      stand = await Stand.start({
        researchMs: 100,
        env: { RELAY_API_KEYS: `alice:${hash}`, RELAY_CHAT_MODELS: 'gpt-4.1' },
      });
    });
    afterAll(async () => {
      await stand?.stop();
      rmSync(home, { recursive: true });
    });
    afterEach(() => stand.reset());

    it.each(PROGRAMS)(
      'chats, and researches once: %s',
      async (name) => {
        const source = join(__dirname, 'java', name);
        const classes = await classPath(`${source}.xml`);
        // As Spring Boot and others build: functions have the names of their parameters.
        const named = ['-parameters', '-cp', classes, '-d', home];
        await run('javac', [...named, `${source}.java`]);
        const url = `${stand.apis[0].url}/v1`;
        const path = `${home}${delimiter}${classes}`;
        const { stdout } = await run('java', ['-cp', path, name, url, KEY]);
        expect(stdout).toContain('It is 3 degrees in Seoul.');
        expect(stdout).toMatch(/^# .*kimchi/m);
        expect((await stand.stats()).creates).toBe(1);
      },
      900_000,
    );
  },
);
