import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import ts from 'typescript';
import { ConfigModule } from '../src/config/config.module';
import { loadConfig } from '../src/config/load-config';
import { Guardrails } from '../src/tools/guardrails/guardrails';
import { GuardrailsModule } from '../src/tools/guardrails/guardrails.module';
import {
  COMPILER_OPTIONS,
  compilerFaults,
} from './support/docs/compiled-example';
import { readPage, ROOT } from './support/docs/docs';

const [, name, text] =
  /`src\/tools\/built-in\/([\w-]+\.guardrail\.ts)`.*?\n```ts\n(.*?)\n```\n/s.exec(
    readPage('docs/guardrails.md'),
  )!;
const path = join(ROOT, 'src/tools/built-in', name);

/** What the file exports, as if it were where the text says. */
function load(): Record<string, Provider> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      ...COMPILER_OPTIONS,
      module: ts.ModuleKind.CommonJS,
      moduleResolution: undefined,
      noEmit: false,
      sourceMap: false,
    },
  });
  const exported: Record<string, Provider> = {};
  const find = (from: string): unknown =>
    require(from.startsWith('.') ? join(path, '..', from) : from);
  (
    compileFunction(outputText, ['require', 'exports']) as (
      find: (from: string) => unknown,
      exported: object,
    ) => void
  )(find, exported);
  return exported;
}

describe('the guardrail of docs/guardrails.md', () => {
  it('has no fault that the compiler would find where it is saved', () => {
    expect(compilerFaults(path, text)).toEqual([]);
  });

  it('does what the text says', async () => {
    @Module({
      imports: [ConfigModule.forRoot(loadConfig({})), GuardrailsModule],
      providers: Object.values(load()),
    })
    class TestModule {}
    const app = await NestFactory.createApplicationContext(TestModule, {
      logger: false,
    });
    const guardrails = app.get(Guardrails);
    const { signal } = new AbortController();
    const context = { consulted: new Set<string>(), signal };
    expect(await guardrails.output('Bluebird is late', context)).toBe(
      '[project] is late',
    );
    const args = { q: 'bluebird' };
    await expect(
      guardrails.toolInput('wiki__search', args, context),
    ).rejects.toMatchObject({
      safeText: 'That may not be looked up elsewhere.',
    });
    expect(await guardrails.toolInput('find', args, context)).toBe(args);
    await app.close();
  });
});
