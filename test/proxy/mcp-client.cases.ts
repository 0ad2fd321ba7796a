import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stand } from '../support/processes/stand';
import { REQUIREMENTS } from './litellm';
import { installPython } from './python';

const run = promisify(execFile);
const PROGRAM = join(__dirname, 'mcp_client.py');
const RUNS = join(__dirname, 'mcp_runs.py');
const KEY = 'the-key-of-alice';
const hash = createHash('sha256').update(KEY).digest('hex');

export function describePythonClient(): void {
  describe('the Python SDK of the Model Context Protocol', () => {
    let stand: Stand;
    let python: string;

    beforeAll(async () => {
      python = join(await installPython('litellm', REQUIREMENTS), 'python');
      stand = await Stand.start({
        researchMs: 100,
        env: { RELAY_API_KEYS: `alice:${hash}` },
      });
    });
    afterAll(() => stand?.stop());
    afterEach(async () => {
      await stand.reset();
      await stand.configure({ research_ms: 100 });
    });

    it.each(['auto', 'legacy'])(
      'researches, joins the run and reads the report in its mode %s',
      async (mode) => {
        const url = `${stand.apis[0].url}/mcp`;
        const question = `The history of kimchi, ${mode}`;
        const { stdout } = await run(python, [
          PROGRAM,
          url,
          KEY,
          question,
          mode,
        ]);
        const seen = JSON.parse(stdout);
        expect(seen.tools).toContain('research');
        expect(seen.result.status).toBe('completed');
        expect(seen.report).toBe(seen.result.output_text);
        expect(seen.joined).toBe(seen.result.invocation_id);
        expect(seen.steps.length).toBeGreaterThan(1);
        expect(seen.fault).toMatchObject({
          code: 'validation_failed',
          errors: [{ path: 'arguments.research_question' }],
        });
        expect(seen.is_error).toEqual([false, true]);
        expect((await stand.stats()).creates).toBe(1);
      },
    );

    it.each(['auto', 'legacy'])(
      'begins, follows, reads and cancels runs in its mode %s',
      async (mode) => {
        const url = `${stand.apis[0].url}/mcp`;
        await run(python, [RUNS, url, KEY, 'completed', mode]);
        await stand.configure({ research_ms: 3_600_000 });
        await run(python, [RUNS, url, KEY, 'cancelled', mode]);
      },
    );
  });
}
