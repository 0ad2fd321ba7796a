#!/usr/bin/env node
// Writes sandbox/validation/request-shapes.json: JSON Schemas of the requests that the installed openai package can write.
// With --check it writes nothing, and fails if the file is not what would be written.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';

const root = join(import.meta.dirname, '..');
const file = join(root, 'sandbox/validation/request-shapes.json');

/** What the types ask for and the endpoint does not. */
const OPTIONAL = {
  FunctionTool: ['parameters', 'strict'],
  'NamespaceTool.Function': ['parameters', 'strict'],
  ResponseOutputMessage: ['id', 'status', 'type'],
  ResponseOutputText: ['annotations'],
  ResponseReasoningItem: ['id'],
  ResponseFunctionWebSearch: ['action'],
};
/** What the endpoint takes and the types do not know: an answer as it was given, and the choice of a web search. */
const TAKEN = {
  ChatCompletionAssistantMessageParam: { annotations: { type: 'array' } },
};
/** Any model may be named. */
const NAMES = ['ChatModel', 'EmbeddingModel', 'ResponsesModel'];

const { definitions } = createGenerator({
  path: join(root, 'sandbox/validation/api-types.ts'),
  tsconfig: join(root, 'tsconfig.json'),
  type: '*',
  expose: 'all',
  jsDoc: 'none',
  skipTypeCheck: true,
  additionalProperties: false,
}).createSchema('*');

for (const [name, left] of Object.entries(OPTIONAL)) {
  const shape = definitions[name];
  shape.required = shape.required.filter((key) => !left.includes(key));
}
for (const [name, taken] of Object.entries(TAKEN))
  Object.assign(definitions[name].properties, taken);
definitions.ToolChoiceTypes.properties.type.enum.push('web_search');
for (const name of NAMES) definitions[name] = { type: 'string' };

const lines = Object.keys(definitions)
  .sort()
  .map(
    (name) => `${JSON.stringify(name)}: ${JSON.stringify(definitions[name])}`,
  );
const written = `{\n${lines.join(',\n')}\n}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (readFileSync(file, 'utf8') !== written) {
  console.error(
    'sandbox/validation/request-shapes.json is out of date with the installed types: run node script/request-shapes.mjs',
  );
  process.exit(1);
}
