import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { blocksOf, docPages, readPage } from './support/docs/docs';

const ROOT = join(__dirname, '..');
const CONTRACT = join(ROOT, 'openapi.json');
/** In a shell block of the docs: `curl … http://127.0.0.1:8080/path … -d '{…}'`, over several lines. */
const POSTED =
  /http:\/\/127\.0\.0\.1:8080(\/api\/v1\/(?:chat|tool-invocations)) (?:(?!curl)[^`])*?-d '(\{[^']*\})'/g;
const OPERATIONS: Record<string, string> = {
  '/api/v1/chat': 'ChatReplyData',
  '/api/v1/tool-invocations': 'ToolInvocationsInvokeData',
};

interface Schema {
  type?: string;
}

interface Described {
  type?: string | string[];
  anyOf?: Described[];
  oneOf?: Described[];
  required?: string[];
  properties?: Record<string, Described>;
}

interface Contract {
  tags: { name: string }[];
  paths: Record<
    string,
    Record<
      string,
      {
        requestBody?: { content: Record<string, object> };
        parameters?: { in: string; schema: Described }[];
        responses: Record<string, { content?: object }>;
      }
    >
  >;
  components: { schemas: Record<string, Described> };
}

/** Of all schemas that something references, directly or indirectly. */
function namesIn(
  node: unknown,
  schemas: Record<string, Described>,
  found = new Set<string>(),
): Set<string> {
  const references = JSON.stringify(node).matchAll(/schemas\/(\w+)"/g);
  for (const [, name] of references)
    if (!found.has(name)) {
      found.add(name);
      namesIn(schemas[name], schemas, found);
    }
  return found;
}

/** Of any type, of any fields, or of any items. */
const isFree = (member: Schema): boolean =>
  !['$ref', 'anyOf', 'oneOf', 'properties'].some((key) => key in member) &&
  ['object', 'array', undefined].includes(member.type);

describe('openapi.json', () => {
  let folder: string;

  beforeAll(() => {
    // Below the project, so that what is generated finds its packages.
    const cache = join(ROOT, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, 'openapi-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (script: string, ...args: string[]): void =>
    void execFileSync(process.execPath, [join(ROOT, 'node_modules', script), ...args], { stdio: 'pipe' }); // prettier-ignore

  it('is OpenAPI 3.1 without a finding of the linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const findings = await lint({ ref: CONTRACT, config });
    expect(findings.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]); // prettier-ignore
    const { openapi } = JSON.parse(readFileSync(CONTRACT, 'utf8')) as { openapi: string }; // prettier-ignore
    expect(openapi).toMatch(/^3\.1\./);
  });

  it('requires no field that has a default', () => {
    const { components } = JSON.parse(readFileSync(CONTRACT, 'utf8')) as {
      components: {
        schemas: Record<
          string,
          {
            required?: string[];
            properties?: Record<string, { description?: string }>;
          }
        >;
      };
    };
    const found = Object.entries(components.schemas).flatMap(
      ([name, { required = [], properties = {} }]) =>
        required
          .filter((key) =>
            /Default: `/.test(properties[key]?.description ?? ''),
          )
          .map((key) => `${name}.${key}`),
    );
    expect(found).toEqual([]);
  });

  it('declares null for every optional field of a body, where it stands for an absent one', () => {
    const { paths, components } = JSON.parse(
      readFileSync(CONTRACT, 'utf8'),
    ) as Contract;
    const takesNull = ({ type, anyOf = [], oneOf = [] }: Described): boolean =>
      type?.includes('null') === true || [...anyOf, ...oneOf].some(takesNull);
    const { patch, post } = Object.fromEntries(
      ['patch', 'post'].map((method) => [
        method,
        namesIn(
          Object.values(paths).map((path) => path[method]?.requestBody),
          components.schemas,
        ),
      ]),
    );
    const optional = (names: Set<string>): [string, Described][] =>
      [...names].flatMap((name) => {
        const { required = [], properties = {} } = components.schemas[name];
        return Object.entries(properties)
          .filter(([key]) => !required.includes(key))
          .map(([key, field]): [string, Described] => [`${name}.${key}`, field]); // prettier-ignore
      });
    const fields = optional(post);
    expect(fields.length).toBeGreaterThan(50);
    const without = ([name, field]: [string, Described]) =>
      // Any JSON, null among it.
      takesNull(field) || name === 'PartDto.value' ? [] : [name];
    expect(fields.flatMap(without)).toEqual([]);
    // In a merge patch a null removes, and a key cannot be without scopes.
    expect(optional(patch).flatMap(without)).toEqual(['UpdateKeyDto.scopes']);
  });

  it('has an example for every body, and the routes of callers before those of operators', () => {
    const { paths, tags } = JSON.parse(
      readFileSync(CONTRACT, 'utf8'),
    ) as Contract;
    const without = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { requestBody }]) => {
          const { 'application/json': json } = requestBody?.content ?? {};
          return json && !('example' in json || 'examples' in json);
        })
        .map(([method]) => `${method} ${path}`),
    );
    expect(without).toEqual([]);
    expect(tags.map(({ name }) => name)).toEqual(['tool invocations', 'chat', 'tools', 'usage', 'keys', 'operation', 'health']); // prettier-ignore
  });

  it('has no null in a query, and no form of one that a generator does not compile', () => {
    const { paths } = JSON.parse(readFileSync(CONTRACT, 'utf8')) as Contract;
    const queries = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ parameters = [] }) => parameters)
      .filter((parameter) => parameter.in === 'query');
    expect(queries.length).toBeGreaterThan(20);
    expect(queries.filter(({ schema }) => Array.isArray(schema.type))).toEqual([]); // prettier-ignore
    // With it, the native client for Java calls a method that maps do not have.
    expect(JSON.stringify(queries)).not.toContain('deepObject');
  });

  it('names both forms of the reply of a chat', () => {
    const { paths } = JSON.parse(readFileSync(CONTRACT, 'utf8')) as Contract;
    expect(Object.keys(paths['/api/v1/chat'].post.responses['200'].content!)).toEqual(['application/json', 'text/event-stream']); // prettier-ignore
  });

  it('has no union that generators make nothing usable of', () => {
    const found: string[] = [];
    const look = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node))
        look(value, `${path}/${key}`);
      const { anyOf, oneOf, ...beside } = node as Record<string, unknown>;
      const members = [anyOf, oneOf].filter(Array.isArray).flat() as Schema[];
      if (members.length === 0) return;
      if (members.length === 1) found.push(`${path}: a union of one`);
      if ('additionalProperties' in beside || 'properties' in beside)
        found.push(`${path}: properties beside a union`);
      if (members.some(isFree)) found.push(`${path}: a free form in a union`);
    };
    look(JSON.parse(readFileSync(CONTRACT, 'utf8')), '');
    expect(found).toEqual([]);
  });

  it('generates clients by two generators that take every body of the docs', () => {
    run('openapi-typescript/bin/cli.js', CONTRACT, '-o', join(folder, 'one.d.ts')); // prettier-ignore
    run('@hey-api/openapi-ts/bin/run.js', '-i', CONTRACT, '-o', join(folder, 'two'), '-s'); // prettier-ignore
    const posted = [
      ...new Map(
        docPages()
          .flatMap((page) => blocksOf(readPage(page)))
          // A block that shows an error has a number there.
          .filter(({ language, info }) => language === 'sh' && !/\d/.test(info))
          .flatMap(({ text }) => [...text.matchAll(POSTED)])
          .map((match) => [match[0], match]),
      ).values(),
    ];
    expect(posted.length).toBeGreaterThan(15);
    const examples = posted.flatMap(([, path, body], n) => [
      `export const one${n}: One<'${path}'> = ${body};`,
      `export const two${n}: two.${OPERATIONS[path]}['body'] = ${body};`,
    ]);
    writeFileSync(
      join(folder, 'examples.ts'),
      `import type { components, paths } from './one';
import type * as two from './two';
type One<P extends '/api/v1/chat' | '/api/v1/tool-invocations'> = paths[P]['post']['requestBody']['content']['application/json'];
${examples.join('\n')}
export const content: string | null = (undefined as unknown as two.ChatReplyResponses[200]).content;
type Event<Name extends 'InvocationEvent' | 'ChatEvent'> = components['schemas'][Name];
export const step = (event: Event<'InvocationEvent'>): string =>
  event.type === 'progress' ? event.data.kind : event.type === 'requires_action' ? event.data.plan.directions[0].title : event.status;
export const call = (frame: Event<'ChatEvent'>): string | undefined =>
  frame.event === 'tool_progress' && frame.data.type === 'error' ? frame.data.data.code :
  frame.event === 'delta' ? frame.data.contents?.[0].text : frame.event === 'gap' ? frame.data.latest : undefined;
export const two_step = (event: two.InvocationEvent): string => event.type === 'output_text' ? event.data.text : event.status;
export const two_call = (frame: two.ChatEvent): string | null => frame.event === 'completed' ? frame.data.content : null;
// @ts-expect-error There is no such field.
export const unknown: One<'/api/v1/chat'> = { message: 'a', mesage: 'b' };
`,
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(
      process.execPath,
      [tsc, '--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node', join(folder, 'examples.ts')],
      { encoding: 'utf8' },
    ); // prettier-ignore
    expect(stdout).toBe('');
  }, 300_000);
});
