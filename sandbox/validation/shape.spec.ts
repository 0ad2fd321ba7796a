import Ajv from 'ajv';
import fc from 'fast-check';
import { isObject } from '../wire/json';
import shapes from './request-shapes.json';
import { checkShape, type ShapeName } from './shape';

const accepts = (body: unknown, name: ShapeName): boolean => {
  try {
    checkShape(body, name);
    return true;
  } catch {
    return false;
  }
};

const user = { role: 'user', content: 'hello' };
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{}' },
};
const CHAT = {
  model: 'm',
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
    { ...user, content: [{ type: 'image_url', image_url: { url: 'x' } }] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ],
  tools: [{ type: 'function', function: { name: 'weather', strict: true } }],
  tool_choice: { type: 'function', function: { name: 'weather' } },
  response_format: { type: 'json_schema', json_schema: { name: 'x' } },
  stream: true,
  stream_options: { include_usage: true },
  temperature: null,
};
const RESPONSES = {
  model: 'm',
  input: [
    user,
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'x' }],
    },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'x' },
    { role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
    {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'open_page', url: 'https://a.example' },
    },
  ],
  tools: [
    { type: 'web_search', filters: { allowed_domains: ['a.example'] } },
    { type: 'mcp', server_label: 'x', require_approval: { never: {} } },
    { type: 'code_interpreter', container: { type: 'auto' } },
  ],
  text: { format: { type: 'json_object' } },
  reasoning: { effort: 'high', summary: null },
  metadata: { a: 'b' },
  include: ['web_search_call.action.sources'],
};
const ODD: unknown[] = [null, 7, true, 'text', 'user', [], {}, [user], call];
const KEYS = ['type', 'role', 'text', 'content', 'novelty', 'id', 'name'];

/** Every place of a value, as the keys that lead to it. */
function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesIn(inner, [...path, key]),
    ),
  ];
}

const valueAt = (value: unknown, path: string[]): unknown =>
  path.reduce((at, key) => (at as Record<string, unknown>)[key], value);

function changed(
  value: unknown,
  [key, ...rest]: string[],
  to: unknown,
): unknown {
  if (key === undefined) return to;
  const copy = structuredClone(value) as Record<string, unknown>;
  if (to === undefined && rest.length === 0 && !Array.isArray(copy))
    delete copy[key];
  else copy[key] = changed(copy[key], rest, to ?? null);
  return copy;
}

describe(checkShape.name, () => {
  const ajv = new Ajv({ strict: false });
  ajv.addSchema({ $id: 'shapes', definitions: shapes });

  it.each<[ShapeName, object]>([
    ['ChatBody', CHAT],
    ['ResponsesBody', RESPONSES],
  ])(
    'judges every change of a %s as JSON Schema does',
    (name, body) => {
      const valid = ajv.compile({ $ref: `shapes#/definitions/${name}` });
      expect(accepts(body, name)).toBe(true);
      expect(valid(body)).toBe(true);
      const places = fc.constantFrom(...placesIn(body));
      const added = fc
        .tuple(places, fc.constantFrom(...KEYS))
        .map(([path, key]) => [...path, key]);
      fc.assert(
        fc.property(
          fc.oneof(places, added),
          fc.constantFrom(...ODD, undefined),
          (path, to) => {
            const other = changed(body, path, to);
            expect([other, accepts(other, name)]).toEqual([
              other,
              valid(other),
            ]);
          },
        ),
        { numRuns: 2_000 },
      );
    },
    60_000,
  );
});
