import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Client } from '../support/client';
import { Stand } from '../support/stand';
import { Toolbox } from '../support/toolbox';

const ROOT = join(__dirname, '../..');

/** The first block of TypeScript under the heading, and the file that the text before it names. */
function readmeTool(): { file: string; text: string } {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, section = ''] = readme.split('\n### Add a tool in one file\n');
  const [, before, text] = /^(.*?)\n```ts\n(.*?)\n```\n/s.exec(section) ?? [];
  const [, file] = /`src\/toolbox\/([\w-]+\.tool\.ts)`/.exec(before) ?? [];
  return { file, text };
}

describe('the tool of README.md', () => {
  const { file, text } = readmeTool();
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({ toolbox: new Toolbox({ [file]: text }) });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  it('has no fault that the compiler would find where it is saved', () => {
    const path = join(ROOT, 'src/toolbox', file);
    const { options } = ts.getParsedCommandLineOfConfigFile(
      join(ROOT, 'tsconfig.json'),
      { noEmit: true, incremental: false },
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
    )!;
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile.bind(host);
    const exists = host.fileExists.bind(host);
    host.fileExists = (name) => name === path || exists(name);
    host.getSourceFile = (name, version, ...rest) =>
      name === path
        ? ts.createSourceFile(name, text, version)
        : read(name, version, ...rest);
    const program = ts.createProgram([path], options, host);
    const source = program.getSourceFile(path)!;
    const faults = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, ' '),
    );
    expect(faults).toEqual([]);
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
