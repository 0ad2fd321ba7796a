import { join } from 'node:path';
import type { Client } from '../../support/client';
import { compilerFaults } from '../../support/docs/compiled-example';
import { readPage, ROOT } from '../../support/docs/docs';
import { Stand } from '../../support/processes/stand';
import { Toolbox } from '../../support/processes/toolbox';

/** The first block of TypeScript under the heading, and the file that the text before it names. */
function documentedTool(): { file: string; text: string } {
  const [, section = ''] = readPage('docs/tools.md').split('\n## Add a tool\n');
  const [, before, text] = /^(.*?)\n```ts\n(.*?)\n```\n/s.exec(section) ?? [];
  const [, file] =
    /`src\/tools\/built-in\/([\w-]+\.tool\.ts)`/.exec(before) ?? [];
  return { file, text };
}

describe('the tool of docs/tools.md', () => {
  const { file, text } = documentedTool();
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({ toolbox: new Toolbox({ [file]: text }) });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  it('has no fault that the compiler would find where it is saved', () => {
    const path = join(ROOT, 'src/tools/built-in', file);
    expect(compilerFaults(path, text)).toEqual([]);
  });

  it('is listed', async () => {
    const { body } = await client.get('/api/v1/tools');
    expect(body.tools).toContainEqual(
      expect.objectContaining({ name: 'roll_dice', source: 'builtin' }),
    );
  });

  it('is called over HTTP', async () => {
    const { status, body } = await client.post('/api/v1/tool-invocations', {
      tool_name: 'roll_dice',
      arguments: { sides: 20 },
    });
    expect(status).toBe(200);
    const [{ value }] = body.contents;
    expect(value).toEqual({ rolled: [value.sum], sum: expect.any(Number) });
    expect(value.sum).toBeGreaterThanOrEqual(1);
    expect(value.sum).toBeLessThanOrEqual(20);
  });

  it('is called by a model', async () => {
    const { body } = await client.post('/api/v1/chat', {
      message: 'Please roll_dice for me',
    });
    expect(body).toMatchObject({
      tool_called: true,
      tool_name: 'roll_dice',
      tool_calls: [{ status: 'completed' }],
    });
    expect(body.content).toMatch(/\d/);
  });
});
