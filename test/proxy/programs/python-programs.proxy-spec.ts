import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stand } from '../../support/processes/stand';
import { installPython } from '../python';

const run = promisify(execFile);
const KEY = 'the-key-of-alice';
const hash = createHash('sha256').update(KEY).digest('hex');

/** Each is `python/<name>.py` with the packages of `python/requirements/<name>.txt`, in an environment of its own. */
const PROGRAMS = [
  'crewai',
  'dspy',
  'fastmcp',
  'haystack',
  'instructor',
  'langchain',
  'llama-index',
  'llm',
  'openai',
  'openai-agents',
  'pydantic-ai',
  'smolagents',
];

describe('ordinary programs in Python, with another base URL and key', () => {
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
      const source = join(__dirname, 'python');
      const requirements = join(source, 'requirements', `${name}.txt`);
      const folder = await installPython(`program-${name}`, requirements);
      // Isolated: a program has the name of what it imports.
      const program = ['-I', join(source, `${name}.py`)];
      const running = run(
        join(folder, 'python'),
        [...program, `${stand.apis[0].url}/v1`, KEY],
        { env: { PATH: process.env.PATH, HOME: home } },
      );
      // `llm` reads what is piped to it.
      running.child.stdin?.end();
      const { stdout } = await running;
      expect(stdout).toContain('It is 3 degrees in Seoul.');
      expect(stdout).toMatch(/^# .*kimchi/m);
      expect((await stand.stats()).creates).toBe(1);
    },
    900_000,
  );
});
