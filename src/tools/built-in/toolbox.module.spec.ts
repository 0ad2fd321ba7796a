import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../../config/config.module';
import { ConfigError } from '../../config/environment';
import { loadConfig } from '../../config/load-config';
import { ToolRegistry } from '../tool-registry';
import { ToolboxModule } from './toolbox.module';

/** A tool as plain JavaScript, which knows no decorators. */
const tool = (name: string): string => `
  const { z } = require(${JSON.stringify(require.resolve('zod'))});
  const { Tool } = require(${JSON.stringify(join(__dirname, '../tool.decorator'))});
  class Mine { run() { return 'done'; } }
  Tool({ name: '${name}', description: 'Mine.', parameters: z.object({}) })(Mine);
  module.exports = { Mine, notATool: () => 1 };`;

describe(ToolboxModule.name, () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sonde-tools-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const save = (name: string, text: string) =>
    writeFileSync(join(folder, name), text);

  async function names(environment: NodeJS.ProcessEnv): Promise<string[]> {
    const config = loadConfig(environment);
    @Module({
      imports: [ConfigModule.forRoot(config), ToolboxModule.load(config)],
    })
    class TestModule {}
    const app = await NestFactory.createApplicationContext(TestModule, {
      logger: false,
      abortOnError: false,
    });
    try {
      return app
        .get(ToolRegistry)
        .list()
        .map(({ name }) => name);
    } finally {
      await app.close();
    }
  }

  it('loads the tools of its own folder', async () => {
    expect(await names({})).toEqual([
      'get_current_datetime',
      'search_documents',
    ]);
  });

  it('loads those of a further folder as well, and no other file of it', async () => {
    save('one.tool.js', tool('first'));
    save('two.tool.js', tool('second'));
    save('three.js', 'throw new Error();');
    save('four.tool.json', '{');
    expect(await names({ RELAY_TOOLS_DIR: folder })).toEqual([
      'get_current_datetime',
      'search_documents',
      'first',
      'second',
    ]);
  });

  it.each([
    [
      "throw new TypeError('no\\nsuch thing');",
      'broken.tool.js cannot be loaded (TypeError: no)',
    ],
    ["require('no-such-package');", 'broken.tool.js cannot be loaded'],
    ['const = 1;', 'broken.tool.js cannot be loaded (SyntaxError'],
  ])('reports the file with %s, and its error, in one line', (text, fault) => {
    save('a.tool.js', tool('fine'));
    save('broken.tool.js', text);
    const config = loadConfig({ RELAY_TOOLS_DIR: folder });
    const load = () => ToolboxModule.load(config);
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(`RELAY_TOOLS_DIR names a folder in which ${fault}`);
    expect(load).toThrow(/^[^\n]+\. Example: \S+$/);
  });

  it('refuses a folder without a tool', () => {
    save('README.md', '# Tools');
    const config = loadConfig({ RELAY_TOOLS_DIR: folder });
    expect(() => ToolboxModule.load(config)).toThrow(
      'RELAY_TOOLS_DIR names a folder that holds no *.tool.js.',
    );
  });

  it('refuses two tools of the same name', async () => {
    save('a.tool.js', tool('search_documents'));
    await expect(names({ RELAY_TOOLS_DIR: folder })).rejects.toThrow(
      'Two tools are named "search_documents": rename one of them.',
    );
  });
});
