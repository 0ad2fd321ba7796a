import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stand } from '../../support/processes/stand';
import { installNode } from '../node';

const run = promisify(execFile);
const KEY = 'the-key-of-alice';
const hash = createHash('sha256').update(KEY).digest('hex');

/** Each is `node/<name>.mjs`; all have the packages of `node/package.json`. */
const PROGRAMS = [
  'ai-sdk',
  'ai-sdk-compatible',
  'langchain',
  'mcp-inspector',
  'openai',
  'openai-agents',
];

describe('ordinary programs in Node, with another base URL and key', () => {
  let stand: Stand;
  let home: string;

  beforeAll(async () => {
    home = await installNode('programs', join(__dirname, 'node/package.json'));
    stand = await Stand.start({
      researchMs: 100,
      env: { RELAY_API_KEYS: `alice:${hash}`, RELAY_CHAT_MODELS: 'gpt-4.1' },
    });
  }, 900_000);
  afterAll(() => stand?.stop());
  afterEach(() => stand.reset());

  it.each(PROGRAMS)('chats, and researches once: %s', async (name) => {
    const program = join(home, `${name}.mjs`);
    copyFileSync(join(__dirname, 'node', `${name}.mjs`), program);
    const url = `${stand.apis[0].url}/v1`;
    const { stdout } = await run(process.execPath, [program, url, KEY], {
      env: { PATH: process.env.PATH, HOME: home },
    });
    expect(stdout).toContain('It is 3 degrees in Seoul.');
    expect(stdout).toMatch(/^# .*kimchi/m);
    expect((await stand.stats()).creates).toBe(1);
  });
});
