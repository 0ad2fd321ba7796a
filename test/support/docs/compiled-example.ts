import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './docs';

export const { options: COMPILER_OPTIONS } =
  ts.getParsedCommandLineOfConfigFile(
    join(ROOT, 'tsconfig.json'),
    { noEmit: true, incremental: false },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  )!;

/** What the compiler reports on the text, if it were saved at the path. */
export function compilerFaults(path: string, text: string): string[] {
  const host = ts.createCompilerHost(COMPILER_OPTIONS);
  const read = host.getSourceFile.bind(host);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => name === path || exists(name);
  host.getSourceFile = (name, version, ...rest) =>
    name === path
      ? ts.createSourceFile(name, text, version)
      : read(name, version, ...rest);
  const program = ts.createProgram([path], COMPILER_OPTIONS, host);
  const source = program.getSourceFile(path)!;
  return [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
