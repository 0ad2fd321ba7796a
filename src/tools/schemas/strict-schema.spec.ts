import fc from 'fast-check';
import { z } from 'zod';
import { checkStrictSchema } from '../../../sandbox/validation/strict-schema';
import type { JsonSchema } from '../../platform/message/tool-description';
import { NotStrict, strictSchema } from './strict-schema';

const jsonOf = (schema: z.ZodType) => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json as JsonSchema;
};
const strictOf = (shape: z.ZodRawShape) =>
  strictSchema(jsonOf(z.strictObject(shape)));
const propertyOf = (schema: z.ZodType) =>
  (strictOf({ a: schema }).properties as { a: JsonSchema }).a;
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const faultOf = (schema: JsonSchema) => {
  try {
    strictSchema(schema);
  } catch (error) {
    expect(error).toBeInstanceOf(NotStrict);
    return (error as NotStrict).message;
  }
  throw new Error('no fault');
};
const accept = (schema: JsonSchema) =>
  checkStrictSchema(schema, 'a tool', 'tools', 'invalid');

describe(strictSchema.name, () => {
  it('requires every property and allows no other', () => {
    const strict = strictOf({ city: z.string(), days: z.number() });
    expect(strict).toEqual({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'number' } },
      required: ['city', 'days'],
      additionalProperties: false,
    });
  });

  it('makes optional properties nullable, and keeps their description', () => {
    const strict = strictOf({
      city: z.string().optional().describe('Where.'),
      days: z.int().default(3),
    });
    expect(strict).toMatchObject({
      required: ['city', 'days'],
      properties: {
        city: { description: 'Where.', ...orNull({ type: 'string' }) },
        days: {
          description: '(default: 3)',
          ...orNull({ type: 'integer' }),
        },
      },
    });
  });

  it('accepts an object without properties', () => {
    expect(strictOf({})).toMatchObject({ properties: {}, required: [] });
  });

  it.each<[string, z.ZodType, JsonSchema]>([
    ['choices', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['a constant', z.literal('a'), { type: 'string', const: 'a' }],
    ['a nullable', z.string().nullable(), { type: ['string', 'null'] }],
    ['limits', z.number().min(1).max(9), { minimum: 1, maximum: 9 }],
    ['a pattern', z.string().regex(/^x$/), { pattern: '^x$' }],
    ['a format it knows', z.uuid(), { format: 'uuid' }],
    [
      'a list',
      z.array(z.string()).min(1).max(5),
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5 },
    ],
  ])('keeps %s', (_, schema, expected) => {
    expect(propertyOf(schema)).toMatchObject(expected);
  });

  it.each<[string, z.ZodType, string]>([
    ['a length', z.string().min(2).max(5), '(minLength: 2, maxLength: 5)'],
    ['a format', z.url().describe('Where.'), 'Where. (format: "uri")'],
    ['an example', z.string().meta({ examples: ['x'] }), '(examples: ["x"])'],
  ])('says %s in words', (_, schema, description) => {
    const { type } = jsonOf(schema);
    expect(propertyOf(schema)).toEqual({ type, description });
  });

  it('converts objects, lists and unions recursively', () => {
    const inner = z.object({ b: z.string().optional() });
    const strict = {
      type: 'object',
      properties: { b: orNull({ type: 'string' }) },
      required: ['b'],
      additionalProperties: false,
    };
    expect(propertyOf(inner)).toEqual(strict);
    expect(propertyOf(z.array(inner))).toMatchObject({ items: strict });
    expect(propertyOf(z.union([z.string(), inner]))).toEqual({
      anyOf: [{ type: 'string' }, strict],
    });
    const kind = z.object({ kind: z.literal('k') });
    const other = z.object({ kind: z.literal('o') });
    expect(propertyOf(z.discriminatedUnion('kind', [kind, other]))).toEqual({
      anyOf: [
        expect.objectContaining({ required: ['kind'] }),
        expect.objectContaining({ required: ['kind'] }),
      ],
    });
  });

  it('converts referenced schemas as well', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree).optional();
      },
    });
    const strict = strictOf({ root: tree });
    accept(strict);
    expect(JSON.stringify(strict)).toContain('"$ref":"#/$defs/');
    expect(Object.values(strict.$defs as object)).toContainEqual(
      expect.objectContaining({ required: ['name', 'children'] }),
    );
  });

  it('never puts another keyword beside a reference', () => {
    const $ref = '#/$defs/place';
    const place = { type: 'object', properties: {}, required: [] };
    const strict = strictSchema({
      type: 'object',
      properties: {
        from: { $ref, description: 'Where from.' },
        to: { $ref, default: {} },
        via: { $ref },
      },
      required: ['from', 'via'],
      $defs: { place },
    });
    expect(strict.properties).toEqual({
      from: { description: 'Where from.', anyOf: [{ $ref }] },
      to: {
        description: '(default: {})',
        ...orNull({ anyOf: [{ $ref }] }),
      },
      via: { $ref },
    });
  });

  it.each<[string, z.ZodType]>([
    ['f: it has no type', z.any()],
    ['f: it allows any properties', z.record(z.string(), z.string())],
    ['f: it allows any properties', z.looseObject({})],
    ['f: it uses prefixItems', z.tuple([z.string()])],
    ['f.0.g[]: it has no type', z.object({ '0.g': z.array(z.any()) })],
    ['f[].g: it has no type', z.array(z.object({ g: z.unknown() }))],
    ['f<1>: it allows any properties', z.string().or(z.looseObject({}))],
  ])('says where it cannot be strict: %s', (fault, schema) => {
    expect(faultOf(jsonOf(z.object({ f: schema })))).toBe(fault);
  });

  it.each<[string, JsonSchema]>([
    ['it is not the schema of an object', { type: 'string' }],
    ['it is not the schema of an object', { type: 'object', anyOf: [] }],
    ['it does not declare its properties', { type: 'object' }],
    [
      'f: its items have no type',
      { type: 'object', properties: { f: { type: 'array' } } },
    ],
    ['f: it is not a schema', { type: 'object', properties: { f: true } }],
  ])('refuses what says too little: %s', (fault, schema) => {
    expect(faultOf(schema)).toBe(fault);
  });

  it('converts ten levels and no more', () => {
    const nested = (levels: number): z.ZodType =>
      levels === 0 ? z.string() : z.object({ a: nested(levels - 1) });
    accept(strictSchema(jsonOf(nested(9))));
    expect(faultOf(jsonOf(nested(10)))).toMatch(/nested over 10 levels/);
  });

  it('never mutates its input', () => {
    const json = jsonOf(z.object({ a: z.string().min(1).default('x') }));
    const before = structuredClone(json);
    strictSchema(json);
    expect(json).toEqual(before);
  });

  it('produces only what the upstream accepts, and is idempotent', () => {
    const described = (schema: z.ZodType) => schema.describe('What.');
    const { shape } = fc.letrec<{ shape: z.ZodRawShape; any: z.ZodType }>(
      (tie) => ({
        shape: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('any'), {
          maxKeys: 4,
        }),
        any: fc.oneof(
          { maxDepth: 3 },
          fc.constantFrom<z.ZodType>(
            z.string().min(1),
            z.int(),
            z.boolean(),
            z.email(),
            z.enum(['a', 'b']),
            z.null(),
          ),
          tie('shape').map((one) => z.object(one)),
          tie('any').map((one) => z.array(one)),
          tie('any').map((one) => one.optional()),
          tie('any').map((one) => one.nullable()),
          tie('any').map(described),
          fc.tuple(tie('any'), tie('any')).map((both) => z.union(both)),
        ),
      }),
    );
    fc.assert(
      fc.property(shape, (one) => {
        const strict = strictOf(one);
        accept(strict);
        expect(strictSchema(strict)).toEqual(strict);
      }),
    );
  });
});
