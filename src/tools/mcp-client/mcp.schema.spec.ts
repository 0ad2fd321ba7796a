import { argumentsSchema, resultCheck } from './mcp.schema';

const sum = { type: 'object', properties: { sum: { type: 'number' } } };

describe(resultCheck.name, () => {
  it('distinguishes matching from other results', () => {
    const fits = resultCheck({ ...sum, required: ['sum'] });
    expect(fits({ sum: 1 })).toBe(true);
    expect(fits({ sum: '1' })).toBe(false);
    expect(fits({})).toBe(false);
  });

  it.each<[string, object]>([
    ['of an unknown dialect', { $schema: 'https://example.com/mine' }],
    ['with a type that does not exist', { type: 'banana' }],
    ['that refers to elsewhere', { $ref: 'https://example.com/a' }],
    ['that refers to itself', { $ref: '#' }],
    [
      'with a pattern that takes years',
      { properties: { sum: { type: 'string', pattern: '^(a+)+$' } } },
    ],
  ])('lets everything pass by a schema %s', (_, schema) => {
    const value = { sum: `${'a'.repeat(50)}!` };
    expect(resultCheck({ ...schema })(value)).toBe(true);
  });

  it('accepts every result of an unsupported schema', () => {
    expect(resultCheck({ ...sum, $async: true })({ sum: '1' })).toBe(false);
  });
});

describe(argumentsSchema.name, () => {
  it('never changes arguments', () => {
    const properties = { a: { type: 'string', default: 'x' }, b: {} };
    const schema = argumentsSchema({ type: 'object', properties });
    expect(schema.parse({ b: null, c: [] })).toEqual({ b: null, c: [] });
  });

  it('reports the path of every error', () => {
    const properties = { a: { type: 'array', items: { type: 'string' } } };
    const additionalProperties = false;
    const schema = { type: 'object', properties, additionalProperties };
    const { error } = argumentsSchema(schema).safeParse({ a: ['x', 1], b: 1 });
    expect(error?.issues).toMatchObject([
      { code: 'invalid_type', path: ['a', 1] },
      { code: 'unrecognized_keys', keys: ['b'], path: [] },
    ]);
  });
});
