import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { AppConfig } from '../../config/config';
import { ConfigError } from '../../config/environment';
import { DocumentsModule } from '../documents/documents.module';
import { ToolSwitches } from '../tool-switches';
import { ToolsModule } from '../tools.module';

const TOOL_FILE = /\.(?:tool|guardrail)\.[jt]s$/;

/**
 * Loads every `*.tool.ts` and `*.guardrail.ts` of this folder, and of the folder that the operator configured: exported
 * classes are providers, those marked with `@Tool` are tools, and those marked with `@InputGuardrail` or
 * `@OutputGuardrail` are guardrails.
 */
@Module({})
export class ToolboxModule {
  /** @throws ConfigError that names the file of the configured folder that cannot be loaded. */
  static load({ tools: { folder } }: AppConfig): DynamicModule {
    const load = createRequire(__filename);
    const own = toolFiles(__dirname).map((path) => load(path) as object);
    const more = folder === undefined ? [] : loadFolder(folder, load);
    return {
      module: ToolboxModule,
      imports: [ToolsModule, DocumentsModule],
      providers: [
        ToolSwitches,
        ...[...own, ...more].flatMap((exported) =>
          Object.values(exported).filter(isClass),
        ),
      ],
    };
  }
}

function loadFolder(folder: string, load: NodeJS.Require): object[] {
  const refuse = (fault: string): never => {
    throw new ConfigError(
      `RELAY_TOOLS_DIR names a folder ${fault}. Example: dist/examples/city`,
    );
  };
  const paths = toolFiles(folder);
  if (paths.length === 0) refuse('that holds no *.tool.js');
  return paths.map((path) => {
    try {
      return load(path) as object;
    } catch (error) {
      const [fault] = String(error).split('\n');
      return refuse(`in which ${basename(path)} cannot be loaded (${fault})`);
    }
  });
}

function toolFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => TOOL_FILE.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function isClass(exported: unknown): exported is Type {
  return typeof exported === 'function' && /^class\b/.test(String(exported));
}
