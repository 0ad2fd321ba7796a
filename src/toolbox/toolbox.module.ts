import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ToolsModule } from '../tools/tools.module';

const TOOL_FILE = /\.tool\.[jt]s$/;

/** Every `*.tool.ts` of this folder: the classes that it exports are providers, and what they mark with `@Tool` are tools. */
@Module({})
export class ToolboxModule {
  static load(): DynamicModule {
    const load = createRequire(__filename);
    const files = readdirSync(__dirname).filter((name) => TOOL_FILE.test(name));
    return {
      module: ToolboxModule,
      imports: [ToolsModule],
      providers: files.flatMap((name) =>
        Object.values(load(`./${name}`) as object).filter(isClass),
      ),
    };
  }
}

function isClass(exported: unknown): exported is Type {
  return typeof exported === 'function' && /^class\b/.test(String(exported));
}
