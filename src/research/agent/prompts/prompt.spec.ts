import { z } from 'zod';
import { choosePrompt } from './choose.prompt';
import { gapsPrompt } from './gaps.prompt';
import { notesPrompt } from './notes.prompt';
import { outlinePrompt } from './outline.prompt';
import { planPrompt } from './plan.prompt';
import { askedOf, jsonSchemaOf, list, text } from './prompt';
import { rewritePrompt } from './rewrite.prompt';
import { scopePrompt } from './scope.prompt';
import { sectionPrompt } from './section.prompt';
import { verifyPrompt } from './verify.prompt';

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

describe(askedOf.name, () => {
  const large = { contextTokens: 32_768 };

  it('asks for sentences alone of a small model, and of one that has broken the schema twice', () => {
    const plain = { schema: sectionPrompt.plain!.schema };
    expect(askedOf(sectionPrompt, { contextTokens: 8_192 })).toMatchObject(
      plain,
    );
    expect(askedOf(sectionPrompt, large, 2)).toMatchObject(plain);
    expect(askedOf(sectionPrompt, large, 1)).toBe(sectionPrompt);
    expect(askedOf(outlinePrompt, large, 2)).toBe(outlinePrompt);
  });

  it('reads sentences alone as a paragraph, and fields that are left out as empty', () => {
    const sentences = [{ text: 'It is old.', note_ids: ['n1'] }];
    const read = { ...sentences[0], kind: 'fact' };
    const empty = { title: '', columns: [], rows: [] };
    const paragraph = { type: 'paragraph', ...empty, sentences: [read] };
    for (const given of [
      { sentences },
      { blocks: [{ type: 'paragraph', sentences }] },
    ])
      expect(sectionPrompt.schema.parse(given)).toEqual({
        blocks: [paragraph],
      });
  });

  it('has all fields in the schemas that are sent, for strict endpoints', () => {
    const schema = jsonSchemaOf(sectionPrompt.schema);
    expect(schema).toMatchObject({
      required: ['blocks'],
      additionalProperties: false,
      properties: {
        blocks: {
          items: {
            required: ['type', 'title', 'sentences', 'columns', 'rows'],
            properties: {
              sentences: { items: { required: ['text', 'note_ids', 'kind'] } },
              rows: { items: { required: ['title', 'cells'] } },
            },
          },
        },
      },
    });
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
      { name: 'a plain section', ...sectionPrompt.plain! },
      rewritePrompt,
      verifyPrompt,
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
