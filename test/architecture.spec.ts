import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import ts from 'typescript';
import { loadConfig } from '../src/config/load-config';

const ROOT = join(__dirname, '..');
const MAX_LINES = 250;
const MAX_FILES = 14;
const MAX_FLOORS = 6;
/** `run.store.ts`, `lease-renewal.ts`. */
const NAME =
  /\/[a-z0-9]+(-[a-z0-9]+)*(\.(module|controller|service|guard|filter|pipe|decorator|dto|processor|handler|worker|store|script|client|tool|prompt|schema|types))?\.ts$/;

/** Area -> the areas that it may import, besides itself. */
const AREAS: Record<string, string[]> = {
  app: [
    'chat',
    'research',
    'tool-invocations',
    'integrations',
    'tenants',
    'runs',
    'tools',
    'platform',
    'config',
  ],
  chat: ['runs', 'tenants', 'tools', 'llm', 'report', 'platform', 'config'],
  research: [
    'runs',
    'tenants',
    'sources',
    'tools',
    'llm',
    'report',
    'platform',
    'config',
  ],
  'tool-invocations': ['runs', 'tools', 'platform', 'config'],
  integrations: ['runs', 'tools', 'platform', 'config'],
  tenants: ['runs', 'platform', 'config'],
  sources: ['tools', 'platform', 'config'],
  runs: ['platform', 'config'],
  llm: ['platform', 'config'],
  tools: ['platform', 'config'],
  report: ['platform'],
  platform: ['config'],
  config: [],
};

/** Folders whose children import each other in a circle. */
const CIRCULAR = ['src/config'];

/** Package -> the folders below `src/` that may import it, types included. */
const FOREIGN: Record<string, string[]> = {
  openai: [
    'research/hosted',
    'llm/responses',
    'llm/completions',
    'llm/agents-sdk',
    'integrations/openai-api',
    'platform/http/openai',
    'chat/completions',
    'chat/responses',
  ],
  '@openai/agents': ['llm/agents-sdk'],
  '@modelcontextprotocol/client': ['tools/mcp-client'],
  '@modelcontextprotocol/server': ['integrations/mcp-server'],
  '@modelcontextprotocol/node': ['integrations/mcp-server'],
  '@opentelemetry': ['platform/tracing/otlp'],
  'prom-client': ['platform/metrics'],
};

/** Path from the root, with forward slashes -> text. */
type Sources = ReadonlyMap<string, string>;
interface Import {
  readonly path: string;
  readonly typeOnly: boolean;
}

describe('the house', () => {
  const src = readSources('src');
  const sandbox = readSources('sandbox');
  const examples = readSources('examples');
  const all = new Map([...src, ...sandbox, ...examples]);

  it('has something to check', () => {
    expect(src.size).toBeGreaterThan(0);
    expect(sandbox.size).toBeGreaterThan(0);
    expect(examples.size).toBeGreaterThan(0);
  });

  it('has the areas of the table, and lets each import only those of its row', () => {
    const areas = [...src.keys()].map(area);
    expect([...new Set(areas)].sort()).toEqual(Object.keys(AREAS).sort());
    expect(forbiddenArrows(src)).toEqual([]);
  });

  it('lets the children of a folder import each other in one direction, types included', () => {
    expect(circularFolders(src)).toEqual(CIRCULAR);
  });

  it('lets nothing but app/all-in-one.ts import the sandbox', () => {
    expect(
      arrows(src)
        .filter(({ to }) => to.startsWith('sandbox/'))
        .filter(({ from }) => from !== 'src/app/all-in-one.ts')
        .map(asText),
    ).toEqual([]);
  });

  it('lets the console import nothing of the service but reports', () => {
    const page = readSources('console', /\.tsx?$/);
    expect(page.size).toBeGreaterThan(0);
    const imports = [...page].flatMap(([path, text]) =>
      [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target]) =>
        posix.join(posix.dirname(path), target),
      ),
    );
    expect(
      imports.filter((to) => !/^(console\/src|src\/report)\//.test(to)),
    ).toEqual([]);
    for (const [path, text] of page)
      if (!path.endsWith('schema.d.ts'))
        expect([path, text.split('\n').length <= MAX_LINES]).toEqual([
          path,
          true,
        ]);
  });

  it('keeps the sandbox free of the service', () => {
    expect(
      arrows(sandbox)
        .filter(({ to }) => !to.startsWith('sandbox/'))
        .map(asText),
    ).toEqual([]);
  });

  it('lets an example import what a tool needs, and nothing import an example', () => {
    const isExample = (path: string): boolean => path.startsWith('examples/');
    const home = (path: string): string => posix.dirname(path);
    expect(
      arrows(examples)
        .filter(({ from, to }) => home(from) !== home(to))
        .filter(({ to }) => area(to) !== 'tools' || isExample(to))
        .map(asText),
    ).toEqual([]);
    expect(
      arrows(new Map([...src, ...sandbox]))
        .filter(({ to }) => isExample(to))
        .map(asText),
    ).toEqual([]);
  });

  it.each(['worker', 'doctor'])(
    'keeps the %s free of the web server',
    (entry) => {
      const parts = reachable(src, `src/app/${entry}.ts`);
      expect(parts).toContain('src/research/research.tool.ts');
      expect(
        parts.filter((path) => src.get(path)?.includes('platform-fastify')),
      ).toEqual([]);
    },
  );

  it(`stands on at most ${MAX_FLOORS} floors`, () => {
    expect(Math.max(...floors(src).values())).toBeLessThanOrEqual(MAX_FLOORS);
  });

  it.each(Object.entries(FOREIGN))(
    'speaks the protocol of %s only in the folders that translate it',
    (name, folders) => {
      expect(importers(src, name, folders)).toEqual([]);
    },
  );

  it('gives every class of the contract a name of its own', () => {
    const names = [...src.values()].flatMap((text) =>
      [...text.matchAll(/^export class (\w+Dto)\b/gm)].map(([, name]) => name),
    );
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('reads the environment in config/ alone', () => {
    expect(environmentReaders(src)).toEqual([]);
  });

  it('has no circle of imports', () => {
    expect(circles(all)).toEqual([]);
  });

  it(`has no folder of more than ${MAX_FILES} source files`, () => {
    const folders = [...all.keys()].map((path) => posix.dirname(path));
    expect(
      [...new Set(folders)].filter(
        (folder) =>
          folders.filter((other) => other === folder).length > MAX_FILES,
      ),
    ).toEqual([]);
  });

  it('names every folder by what it holds, and has no barrels', () => {
    expect(
      [...all.keys()].filter((path) =>
        /\/((common|utils|helpers)\/|index\.ts$)/.test(path),
      ),
    ).toEqual([]);
  });

  it('names files in kebab-case, with a type only where Nest, a queue, Redis or a loader knows it', () => {
    expect([...src.keys()].filter((path) => !NAME.test(path))).toEqual([]);
  });

  it('gives every file of the service a name of its own', () => {
    const names = [...src.keys()].map((path) => posix.basename(path));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it(`has no file over ${MAX_LINES} lines`, () => {
    expect(
      [...all]
        .map(([path, text]) => `${path}: ${text.trimEnd().split('\n').length}`)
        .filter((entry) => Number(entry.split(': ')[1]) > MAX_LINES),
    ).toEqual([]);
  });

  it('documents every variable in .env.example, with its real default', () => {
    const documented = exampleEnvironment();
    expect(Object.keys(documented).sort()).toEqual(variables().sort());
    expect(loadConfig(documented)).toEqual(loadConfig({}));
  });

  it('hands every variable to the containers, but for those that are theirs', () => {
    const compose = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
    expect(
      variables().filter((name) => !compose.includes(`\${${name}:`)),
    ).toEqual(['RELAY_HOST', 'REDIS_URL', 'RELAY_DATA_DIR']);
  });
});

describe('the check itself', () => {
  it.each([
    ["import { b } from '../research/b';"],
    ["import type { B } from '../research/b';"],
    ["export { b } from '../research/b';"],
    ["export * from '../research/b.js';"],
    ["import b = require('../research/b');"],
    ["const b = await import('../research/b');"],
    ["const b = require('../research/b');"],
    ["let b: typeof import('../research/b');"],
  ])('catches the forbidden arrow of %s', (statement) => {
    const sources = new Map([
      ['src/chat/a.ts', `import { E } from '../platform/e';\n${statement}`],
      ['src/research/b.ts', "export { d } from '../runs/d';"],
      ['src/app/main.ts', "import '../chat/a';"],
    ]);
    expect(forbiddenArrows(sources)).toEqual([
      'src/chat/a.ts -> src/research/b.ts',
    ]);
  });

  it('catches an area without a row, and one that imports a process', () => {
    const sources = new Map([
      ['src/misc/a.ts', "import '../config/c';"],
      ['src/llm/b.ts', "import '../app/main';"],
    ]);
    expect(forbiddenArrows(sources)).toEqual([
      'src/misc/a.ts -> src/config/c.ts',
      'src/llm/b.ts -> src/app/main.ts',
    ]);
  });

  it('catches children of a folder that import each other though no file does', () => {
    const sources = new Map([
      ['src/runs/store/a.ts', "import type { B } from '../queue/b';"],
      ['src/runs/queue/b.ts', ''],
      ['src/runs/queue/c.ts', "import '../events/d';"],
      ['src/runs/events/d.ts', "import '../store/e';"],
      ['src/runs/store/e.ts', "import './a';"],
      ['src/chat/f.ts', "import '../runs/store/a';"],
    ]);
    expect(circularFolders(sources)).toEqual(['src/runs']);
    sources.set('src/runs/events/d.ts', '');
    expect(circularFolders(sources)).toEqual([]);
  });

  it.each([
    ['const port = process.env.PORT;'],
    ["const port = process['env'].PORT;"],
    ['const { env } = process;'],
    ["import { env } from 'node:process';"],
  ])('catches the environment read by %s', (statement) => {
    const sources = new Map([
      ['src/main.ts', statement],
      ['src/config/a.ts', statement],
      ['src/platform/http/b.ts', '// process.env is none of its business'],
    ]);
    expect(environmentReaders(sources)).toEqual(['src/main.ts']);
  });

  it('catches a circle, also one of types alone', () => {
    const sources = new Map([
      ['src/a.ts', "import { b } from './b';"],
      ['src/b.ts', "import { c } from './c';"],
      ['src/c.ts', "import { a } from './a';"],
      ['src/d.ts', "import type { E } from './e';"],
      ['src/e.ts', "import { type D } from './d';\nimport { d } from './d';"],
    ]);
    expect(circles(sources)).toEqual([
      'src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts',
      'src/d.ts -> src/e.ts -> src/d.ts',
    ]);
  });

  it('counts a floor for each area below', () => {
    const sources = new Map([
      ['src/app/a.ts', "import '../chat/b';"],
      ['src/chat/b.ts', "import type { C } from '../runs/c';"],
      ['src/runs/c.ts', "import '../platform/errors';"],
      ['src/platform/errors.ts', ''],
    ]);
    expect(floors(sources).get('app')).toBe(4);
  });

  it('catches the types of a foreign protocol, and not a package of a similar name', () => {
    const sources = new Map([
      ['src/llm/turns/a.ts', "import type { R } from 'openai/resources/x';"],
      ['src/llm/responses/b.ts', "import OpenAI from 'openai';"],
      ['src/chat/c.ts', "import { p } from 'openai-like';"],
    ]);
    expect(importers(sources, 'openai', ['llm/responses'])).toEqual([
      'src/llm/turns/a.ts',
    ]);
  });
});

function readSources(folder: string, files = /\.ts$/): Sources {
  const paths = readdirSync(join(ROOT, folder), { recursive: true })
    .map((path) => posix.join(folder, String(path).split(sep).join('/')))
    .filter((path) => files.test(path) && !path.endsWith('.spec.ts'))
    .sort();
  return new Map(
    paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
  );
}

/** What `.env.example` would set if every line of it were taken in. */
function exampleEnvironment(): NodeJS.ProcessEnv {
  const lines = readFileSync(join(ROOT, '.env.example'), 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^#([A-Z_]+)=(.*)$/.exec(line) ?? [];
      return name ? [[name, value]] : [];
    }),
  );
}

/** The names that the configuration asks for, in its order. Those that it knows in lower case too are one variable. */
function variables(): string[] {
  const asked = new Set<string>();
  const publicHost: NodeJS.ProcessEnv = {
    RELAY_HOST: '0.0.0.0',
    RELAY_ALLOW_ANONYMOUS: 'true',
  };
  loadConfig(
    new Proxy(publicHost, {
      get: (target, name: string) => {
        asked.add(name.toUpperCase());
        return target[name];
      },
    }),
  );
  return [...asked];
}

function forbiddenArrows(sources: Sources): string[] {
  return arrows(sources)
    .filter(({ to }) => to.startsWith('src/'))
    .filter(({ from, to }) => {
      const [home, target] = [area(from), area(to)];
      if (home === target && home in AREAS) return false;
      return !AREAS[home]?.includes(target);
    })
    .map(asText);
}

/** A folder directly below `src/`, or what lies there beside the areas. */
function area(path: string): string {
  return path.split('/')[1];
}

/** The files outside of `folders` that import the package. */
function importers(
  sources: Sources,
  name: string,
  folders: string[],
): string[] {
  const isOf = (specifier = ''): boolean =>
    specifier === name || specifier.startsWith(`${name}/`);
  return [...sources]
    .filter(([path, text]) =>
      nodes(path, text).some((node) => isOf(importOf(node)?.specifier)),
    )
    .map(([path]) => path)
    .filter((path) => !folders.some((one) => path.startsWith(`src/${one}/`)));
}

/** Area -> one more than the highest of those that it imports. */
function floors(sources: Sources): ReadonlyMap<string, number> {
  const imports = importsOfChildren(sources, 'src');
  const floorOf = (name: string): number =>
    1 + Math.max(0, ...[...(imports.get(name) ?? [])].map(floorOf));
  return new Map([...imports.keys()].map((name) => [name, floorOf(name)]));
}

/** The folders of which two children import each other, by whatever way. */
function circularFolders(sources: Sources): string[] {
  const folders = [...sources.keys()].flatMap((path) =>
    path
      .split('/')
      .map((_, i, parts) => parts.slice(0, i).join('/'))
      .slice(1),
  );
  return [...new Set(folders)].filter((folder) => {
    const imports = importsOfChildren(sources, folder);
    return [...imports.keys()].some((child) => {
      const reached = new Set(imports.get(child));
      for (const one of reached)
        for (const next of imports.get(one) ?? []) reached.add(next);
      return reached.has(child);
    });
  });
}

/** Child of the folder -> the other children that it imports. */
function importsOfChildren(
  sources: Sources,
  folder: string,
): ReadonlyMap<string, Set<string>> {
  const childOf = (path: string): string | undefined =>
    path.startsWith(`${folder}/`)
      ? path.slice(folder.length + 1).split('/')[0]
      : undefined;
  const imports = new Map<string, Set<string>>();
  for (const { from, to } of arrows(sources)) {
    const [importer, imported] = [childOf(from), childOf(to)];
    if (importer === undefined || imported === undefined) continue;
    const known = imports.get(importer) ?? new Set();
    imports.set(importer, known);
    if (importer !== imported) known.add(imported);
  }
  return imports;
}

function environmentReaders(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => area(path) !== 'config')
    .filter(([path, text]) => nodes(path, text).some(readsEnvironment))
    .map(([path]) => path);
}

function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node))
    return isProcess(node.expression) && node.name.text === 'env';
  if (ts.isElementAccessExpression(node)) return isProcess(node.expression);
  if (ts.isVariableDeclaration(node))
    return (
      node.initializer !== undefined &&
      isProcess(node.initializer) &&
      /\benv\b/.test(node.name.getText())
    );
  return (
    ts.isImportDeclaration(node) &&
    /^(node:)?process$/.test(textOf(node.moduleSpecifier) ?? '')
  );
}

function isProcess(node: ts.Expression): boolean {
  return /^(globalThis\.)?process$/.test(node.getText());
}

/** Each circle once, as the path around it. */
function circles(sources: Sources): string[] {
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, way: string[]): void => {
    if (way.includes(path)) {
      found.add([...way.slice(way.indexOf(path)), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const next of importsOf(path, sources.get(path) ?? ''))
      visit(next.path, [...way, path]);
    done.add(path);
  };
  [...sources.keys()].forEach((path) => visit(path, []));
  return [...found];
}

/** All files that a file loads, itself included. */
function reachable(sources: Sources, path: string): string[] {
  const found = new Set([path]);
  for (const from of found)
    for (const next of importsOf(from, sources.get(from) ?? ''))
      if (!next.typeOnly) found.add(next.path);
  return [...found];
}

function arrows(sources: Sources): { from: string; to: string }[] {
  return [...sources].flatMap(([from, text]) =>
    importsOf(from, text).map(({ path }) => ({ from, to: path })),
  );
}

function asText({ from, to }: { from: string; to: string }): string {
  return `${from} -> ${to}`;
}

/** Path and text -> imports: each file is parsed once. */
const parsed = new Map<string, Import[]>();

/** The project's own files that a file names in any form of import; packages are left out. */
function importsOf(path: string, text: string): Import[] {
  const key = `${path}\n${text}`;
  const imports =
    parsed.get(key) ??
    nodes(path, text).flatMap((node) => {
      const named = importOf(node);
      if (!named?.specifier?.startsWith('.')) return [];
      const target = posix
        .join(posix.dirname(path), named.specifier)
        .replace(/\.[jt]s$/, '');
      return [{ path: `${target}.ts`, typeOnly: named.typeOnly }];
    });
  parsed.set(key, imports);
  return imports;
}

function importOf(
  node: ts.Node,
): { specifier?: string; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node))
    return {
      specifier: textOf(node.moduleSpecifier),
      typeOnly: isTypeOnly(node.importClause),
    };
  if (ts.isExportDeclaration(node))
    return {
      specifier: textOf(node.moduleSpecifier),
      typeOnly: node.isTypeOnly,
    };
  if (ts.isExternalModuleReference(node))
    return { specifier: textOf(node.expression), typeOnly: false };
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return { specifier: textOf(node.argument.literal), typeOnly: true };
  if (ts.isCallExpression(node) && /^(import|require)$/.test(calleeOf(node)))
    return { specifier: textOf(node.arguments[0]), typeOnly: false };
  return undefined;
}

function calleeOf(node: ts.CallExpression): string {
  return node.expression.getText();
}

/** `import type …`, and `import { type A, type B }`: neither is left in the JavaScript. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    clause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function nodes(path: string, text: string): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}
