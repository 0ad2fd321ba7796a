import { exampleOf } from './prompt-messages';

const of = (schema: object) => exampleOf({ properties: { a: schema } }).a;

describe(exampleOf.name, () => {
  it.each<[string, object, unknown]>([
    ['its name for a text', { type: 'string' }, '<a>'],
    ['null where it may be', { type: ['string', 'null'] }, null],
    [
      'null of several',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      null,
    ],
    ['null of a choice', { enum: ['x', null] }, null],
    ['the first of a choice', { type: 'string', enum: ['x', 'y'] }, 'x'],
    [
      'the first of several',
      { anyOf: [{ type: 'string' }, { type: 'array' }] },
      '<a>',
    ],
    ['the first type of several', { type: ['integer', 'string'] }, 1],
    ['a number', { type: 'number' }, 1],
    ['a truth', { type: 'boolean' }, true],
    ['nothing in a list', { type: 'array', items: { type: 'string' } }, []],
    [
      'what is inside',
      { type: 'object', properties: { b: { type: 'string' } } },
      { b: '<b>' },
    ],
    ['null for what it does not know', {}, null],
  ])('gives %s', (_, schema, example) => {
    expect(of(schema)).toEqual(example);
  });

  it('returns no arguments for a tool without parameters', () => {
    expect(exampleOf({ type: 'object' })).toEqual({});
  });
});
