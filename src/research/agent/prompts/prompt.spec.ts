import { z } from 'zod';
import { choosePrompt } from './choose.prompt';
import { gapsPrompt } from './gaps.prompt';
import { notesPrompt } from './notes.prompt';
import { outlinePrompt } from './outline.prompt';
import { planPrompt } from './plan.prompt';
import { jsonSchemaOf, list, text } from './prompt';
import { scopePrompt } from './scope.prompt';
import { sectionPrompt } from './section.prompt';

/** Paths of texts without `maxLength` or a choice, and of lists without `maxItems`. */
function unboundedIn(schema: object, path = ''): string[] {
  const {
    type,
    enum: choice,
    maxLength,
    maxItems,
  } = schema as z.core.JSONSchema.Schema;
  const own =
    (type === 'string' && !choice && maxLength === undefined) ||
    (type === 'array' && maxItems === undefined);
  const inner = Object.entries(schema).flatMap(
    ([key, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? unboundedIn(value, `${path}/${key}`)
        : [],
  );
  return own ? [path, ...inner] : inner;
}

it('a list beside an answer costs no answer: what is none of its items is left out', () => {
  const schema = gapsPrompt.schema;
  const answer = {
    sufficient: false,
    missing: [],
    contradictions: [],
    queries: [],
  };
  for (const [open, kept] of [
    [undefined, []],
    ['1', []],
    [
      [3, '4', 1.5, null, 2],
      [3, 2],
    ],
    [Array.from({ length: 40 }, (_, at) => at), [...Array(12).keys()]],
  ] as const)
    expect(schema.parse({ ...answer, open })).toEqual({
      ...answer,
      open: kept,
    });
});

describe(jsonSchemaOf.name, () => {
  it.each(
    [
      choosePrompt,
      gapsPrompt,
      notesPrompt,
      outlinePrompt,
      planPrompt,
      scopePrompt,
      sectionPrompt,
    ].map((prompt) => [prompt.name, prompt.schema] as const),
  )('bounds every text and every list of %s', (_, schema) => {
    expect(unboundedIn(jsonSchemaOf(schema))).toEqual([]);
  });

  it('has the bounds of both sides', () => {
    const schema = z.object({ names: list(text(20).min(1), 3).min(1) });
    expect(jsonSchemaOf(schema)).toMatchObject({
      properties: {
        names: {
          minItems: 1,
          maxItems: 3,
          items: { type: 'string', minLength: 1, maxLength: 20 },
        },
      },
    });
    const long = { names: ['x'.repeat(30), 'b', 'c', 'd'] };
    expect(schema.parse(long).names).toEqual(['x'.repeat(20), 'b', 'c']);
  });
});
