import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { classPath, hasMaven } from '../java';
import { installNode } from '../node';
import { installPython } from '../python';

const run = promisify(execFile);
const CACHE = join(__dirname, '../../../data/cache');

/** Runs a program that is installed to its end, and returns what it printed. */
export type Program = (url: string, key: string) => Promise<string>;

/** Each is `java/<name>.java` with the dependencies of `java/<name>.xml`. */
const JAVA = [
  'Langchain4j',
  'McpJava',
  'OpenaiJava',
  'SpringAi',
  'SpringAiMcp',
];

/** Each is `node/<name>.mjs`; all have the packages of `node/package.json`. */
const NODE = [
  'ai-sdk',
  'ai-sdk-7',
  'ai-sdk-compatible',
  'langchain',
  'mcp-inspector',
  'openai',
  'openai-agents',
  'openai-agents-mcp',
];

/** Each is `python/<name>.py` with the packages of `python/requirements/<name>.txt`, in an environment of its own. */
const PYTHON = [
  'agno',
  'crewai',
  'dspy',
  'fastmcp',
  'haystack',
  'instructor',
  'langchain',
  'llama-index',
  'llm',
  'openai',
  'openai-agents',
  'openai-agents-mcp',
  'pydantic-ai',
  'smolagents',
];

const wantsJava = hasMaven() || process.env.CI === 'true';
if (!wantsJava)
  process.stderr.write('Maven is not installed: its tests are left out\n');

/** What installs each program. */
export const PROGRAMS = new Map<string, () => Promise<Program>>([
  ...(wantsJava ? JAVA : []).map(
    (name) => [`${name} (Java)`, () => javaProgram(name)] as const,
  ),
  ...NODE.map((name) => [`${name} (Node)`, () => nodeProgram(name)] as const),
  [
    'promptfoo (Node)',
    // Its optional packages are those of other providers, 2 GB of them.
    () => nodeProgram('promptfoo', 'promptfoo.json', '--omit=optional'),
  ],
  ...PYTHON.map(
    (name) => [`${name} (Python)`, () => pythonProgram(name)] as const,
  ),
]);

async function javaProgram(name: string): Promise<Program> {
  const source = join(__dirname, 'java', name);
  const classes = await classPath(`${source}.xml`);
  const home = join(CACHE, 'java-programs');
  // As Spring Boot and others build: functions have the names of their parameters.
  const named = ['-parameters', '-cp', classes, '-d', home];
  await run('javac', [...named, `${source}.java`]);
  const path = `${home}${delimiter}${classes}`;
  return (...rest) => print('java', '-cp', path, name, ...rest);
}

async function nodeProgram(
  name: string,
  packages = 'package.json',
  ...options: string[]
): Promise<Program> {
  const source = join(__dirname, 'node');
  const list = join(source, packages);
  const home = await installNode('programs', list, ...options);
  const program = join(home, `${name}.mjs`);
  copyFileSync(join(source, `${name}.mjs`), program);
  return (...rest) => print(process.execPath, program, ...rest);
}

async function pythonProgram(name: string): Promise<Program> {
  const source = join(__dirname, 'python');
  const requirements = join(source, 'requirements', `${name}.txt`);
  const folder = await installPython(`program-${name}`, requirements);
  // Isolated: a program has the name of what it imports.
  const program = ['-I', join(source, `${name}.py`)];
  return (...rest) => print(join(folder, 'python'), ...program, ...rest);
}

async function print(command: string, ...args: string[]): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'programs-'));
  const env = { PATH: process.env.PATH, HOME: home };
  try {
    const running = run(command, args, { env });
    // `llm` reads what is piped to it.
    running.child.stdin?.end();
    return (await running).stdout;
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Each program has a key of its own: one that asks the same by the same key gets the same run. */
export function keyOf(name: string): string {
  return `the-key-of-${name.replace(/\W/g, '-')}`;
}

/** The settings of an installation that serves them. */
export const ENV = {
  RELAY_API_KEYS: [...PROGRAMS.keys()].map(pairOf).join(),
  RELAY_CHAT_MODELS: 'gpt-4.1',
};

function pairOf(name: string, index: number): string {
  const hash = createHash('sha256').update(keyOf(name)).digest('hex');
  return `program-${index}:${hash}`;
}

export function expectAnswers(printed: string): void {
  expect(printed).toContain('It is 3 degrees in Seoul.');
  expect(printed).toMatch(/^# .*kimchi/m);
}
