import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stand } from '../support/processes/stand';
import { installPython } from './python';

const run = promisify(execFile);
const SDKS = join(__dirname, 'sdks');
const PROGRAM = join(SDKS, 'openai_client.py');
const KEY = 'the-key-of-alice';
const HOUR = 3_600_000;
const hash = createHash('sha256').update(KEY).digest('hex');
/** Compiled once, outside of the sources. */
const ENV = {
  PATH: process.env.PATH,
  PYTHONPYCACHEPREFIX: join(__dirname, '../../data/cache/pycache'),
};

describe('the Python SDK of OpenAI', () => {
  let stand: Stand;
  let python: string;

  beforeAll(async () => {
    python = join(
      await installPython('sdks', join(SDKS, 'requirements.txt')),
      'python',
    );
    stand = await Stand.start({
      researchMs: 100,
      env: {
        RELAY_API_KEYS: `alice:${hash}`,
        RELAY_CHAT_MODELS: 'gpt-4.1',
        // One that keeps to a schema.
        LITELLM_MODEL: 'gpt-5.5',
      },
    });
  });
  afterAll(() => stand?.stop());
  afterEach(async () => {
    await stand.clearFaults();
    await stand.reset();
    await stand.configure({ research_ms: 100 });
  });

  const base = (api = 0) => `${stand.apis[api].url}/v1`;
  const play = (kind: string, name: string, ...rest: string[]) =>
    run(python, [PROGRAM, kind, name, base(), KEY, ...rest], { env: ENV });
  const frame = (name: string) =>
    run(python, [join(SDKS, 'frameworks.py'), name, base(), KEY], { env: ENV });
  const creates = async () => (await stand.stats()).creates;

  describe.each(['sync', 'async'])('%s', (kind) => {
    it('researches in the foreground, reads and deletes', async () => {
      await play(kind, 'research');
      expect(await creates()).toBe(1);
    });

    it('polls a run in the background to its end', async () => {
      await play(kind, 'background');
      expect(await creates()).toBe(1);
    });

    it('reads a stream from every cut on', async () => {
      await play(kind, 'stream');
      expect(await creates()).toBe(2);
    });

    it('puts a response together with its stream helper', async () => {
      await play(kind, 'helper');
      expect(await creates()).toBe(1);
    });

    it('cancels a run', async () => {
      await stand.configure({ research_ms: HOUR });
      await play(kind, 'cancel');
    });

    it.each([
      ['failed', { kind: 'failed' }],
      ['incomplete', { kind: 'incomplete', reason: 'max_output_tokens' }],
    ])('reads a run that ends as %s from every cut on', async (end, fault) => {
      await stand.fault({ ...fault, count: 0 });
      await play(kind, 'end', end, 'false');
      await play(kind, 'end', end, 'true');
    });

    it('resumes at another process after the first was killed', async () => {
      await stand.fault({ kind: 'pause', fraction: 0.5 });
      const killed = await stand.addApi();
      const args = [kind, 'resume', base(1), KEY, base()];
      const child = spawn(python, [PROGRAM, ...args], { env: ENV });
      let words = '';
      child.stderr.on('data', (chunk) => (words += String(chunk)));
      const ended = once(child, 'exit');
      // One line, or the end of the program.
      await Promise.race([once(child.stdout, 'data'), ended]);
      await killed.stop('SIGKILL');
      stand.apis.pop();
      await stand.clearFaults();
      const [code] = await ended;
      expect([code, words]).toEqual([0, expect.stringMatching(/^\w*\s*$/)]);
      expect(await creates()).toBe(1);
    });

    it('chats with a tool loop and a stream', () => play(kind, 'chat'));

    it('parses a report in the form of a schema', () => play(kind, 'parsed'));

    it('has an answer in the form of a schema', () => play(kind, 'structured'));

    it('shows code, parameter and message of what is refused', async () => {
      await play(kind, 'errors');
      expect(await creates()).toBe(0);
    });
  });

  it.each([
    ['agents_research', 2],
    ['agents_chat', 0],
    ['langchain_research', 2],
    ['langchain_chat', 0],
  ])('serves its frameworks: %s', async (name, bought) => {
    await frame(name);
    expect(await creates()).toBe(bought);
  });

  it('shows LangChain why a run failed', async () => {
    await stand.fault({ kind: 'failed', count: 0 });
    await frame('langchain_failure');
  });
});
