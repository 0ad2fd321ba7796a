import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');

/** File name, e.g. `roll-dice.tool.ts` -> its text. */
export type ToolFiles = Record<string, string>;

/** A copy of the built service with more tools in its `src/tools/built-in`, or in a folder beside that. */
export class Toolbox {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sonde-toolbox-'));
  /** The folder of its processes. */
  readonly dist = join(this.folder, 'dist/src/app');
  /** For RELAY_TOOLS_DIR. */
  readonly more = join(this.folder, 'dist/more');

  constructor(files: ToolFiles, more: ToolFiles = {}) {
    cpSync(join(ROOT, 'dist'), join(this.folder, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(this.folder, 'package.json'));
    const modules = realpathSync(join(ROOT, 'node_modules'));
    symlinkSync(modules, join(this.folder, 'node_modules'));
    mkdirSync(this.more);
    write(files, join(this.folder, 'dist/src/tools/built-in'));
    write(more, this.more);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Tools of `test/support/tools`, as if they were in `src/tools/built-in`. */
export function testTools(...names: string[]): ToolFiles {
  return testFiles('tools', "'../../", names);
}

/** Guardrails of `test/support/guardrails`, as if they were in a folder beside `src`. */
export function testGuardrails(...names: string[]): ToolFiles {
  return testFiles('guardrails', "'../src/", names);
}

function testFiles(folder: string, src: string, names: string[]): ToolFiles {
  return Object.fromEntries(
    names.map((name) => {
      const text = readFileSync(join(__dirname, '..', folder, name), 'utf8');
      return [name, text.replaceAll("'../../../src/", src)];
    }),
  );
}

function write(files: ToolFiles, folder: string): void {
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), transpile(text));
}

function transpile(text: string): string {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) =>
    readFileSync(path, 'utf8'),
  ) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      ...options,
      // CommonJS, as Nest's build emits, since package.json names no other type.
      module: ts.ModuleKind.CommonJS,
      moduleResolution: undefined,
      sourceMap: false,
    },
  });
  return outputText;
}
