import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Client, Reply } from '../../support/client';
import { ROOT } from '../../support/docs/docs';
import { Stand } from '../../support/processes/stand';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  then?: Schema;
}

const { components } = JSON.parse(
  readFileSync(join(ROOT, 'openapi.json'), 'utf8'),
) as { components: { schemas: Record<string, Schema> } };

/** The optional fields of a schema of the contract, those of its first level of objects included, as `a.b`. */
function optionalFields({ $ref, ...own }: Schema, depth = 2): string[] {
  const schema = $ref ? components.schemas[$ref.split('/').at(-1)!] : own;
  const fields = { ...schema.properties, ...schema.then?.properties };
  return Object.entries(fields).flatMap(([name, field]) => [
    ...(schema.required?.includes(name) ? [] : [name]),
    ...(depth > 1
      ? optionalFields(field.anyOf?.[0] ?? field, depth - 1).map(
          (inner) => `${name}.${inner}`,
        )
      : []),
  ]);
}

/** The optional fields of an interface of the SDK of OpenAI. */
function sdkFields(file: string, name: string): string[] {
  const path = join(ROOT, 'node_modules/openai/resources', file);
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const fields: string[] = [];
  ts.forEachChild(source, (node) => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== name) return;
    for (const member of node.members)
      if (member.questionToken)
        fields.push((member.name as ts.Identifier).text);
  });
  return fields;
}

function withNull(body: object, field: string): object {
  const [first, second] = field.split('.');
  if (second === undefined) return { ...body, [first]: null };
  const inner = (body as Record<string, object>)[first] ?? {};
  return { ...body, [first]: { ...inner, [second]: null } };
}

const GREETING = { message: 'hello' };
const RESEARCH = {
  tool_name: 'deep_research',
  arguments: { research_question: 'kimchi' },
};

describe('a null in a field that may be absent', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({ researchMs: 1 });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  const REST: [string, object, string[]][] = [
    [
      '/api/v1/chat',
      GREETING,
      optionalFields({ $ref: '#/components/schemas/ChatRequestDto' }, 1),
    ],
    [
      '/api/v1/tool-invocations',
      RESEARCH,
      [
        ...optionalFields({ $ref: '#/components/schemas/InvokeToolDto' }),
        'arguments.background',
        'arguments.stream',
      ],
    ],
    [
      '/api/v1/tool-invocations/estimate',
      RESEARCH,
      optionalFields({ $ref: '#/components/schemas/InvokeToolDto' }),
    ],
  ];
  const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };
  const V1: [string, object, string[]][] = [
    [
      '/v1/responses',
      { model: 'gpt-4o', input: 'hello' },
      sdkFields('responses/responses.d.ts', 'ResponseCreateParamsBase'),
    ],
    [
      '/v1/responses',
      { model: 'o3-deep-research', input: 'kimchi', background: true },
      sdkFields('responses/responses.d.ts', 'ResponseCreateParamsBase'),
    ],
    [
      '/v1/chat/completions',
      chat,
      sdkFields(
        'chat/completions/completions.d.ts',
        'ChatCompletionCreateParamsBase',
      ),
    ],
  ];
  const cases = [...REST, ...V1].flatMap(([path, body, fields]) =>
    fields
      // They are what the request is about.
      .filter((field) => !['message', 'input', 'model'].includes(field))
      .map((field) => [path, field, body] as const),
  );

  it('is asked of many fields', () => {
    expect(cases.length).toBeGreaterThan(100);
  });

  it.each(cases)(
    '%s: %s is as if it were absent',
    async (path, field, body) => {
      const reply: Reply = await client.post(path, withNull(body, field));
      expect(reply.body).not.toHaveProperty('errors');
      expect([200, 202]).toContain(reply.status);
    },
  );
});
