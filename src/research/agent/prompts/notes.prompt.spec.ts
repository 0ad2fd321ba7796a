import { notesPrompt } from './notes.prompt';
import { jsonSchemaOf } from './prompt';

const note = { claim: 'It is high.', kind: 'fact', importance: 2 };
const read = (more: object) =>
  notesPrompt.schema.parse({ notes: [{ ...note, ...more }] }).notes[0];

describe(notesPrompt.name, () => {
  it.each<[string, unknown, number[]]>([
    ['numbers', [12, 13], [12, 13]],
    ['texts', ['12', '[13]'], [12, 13]],
    ['one number', 12, [12]],
    ['one text', '[12]', [12]],
    ['nothing', undefined, []],
    ['words', ['the first'], []],
    ['more than it may name', Array(40).fill(1), Array(12).fill(1)],
  ])('takes %s for sentences', (_, sentences, numbers) => {
    expect(read({ sentences }).sentences).toEqual(numbers);
  });

  it('asks for the number of a sentence, which a small model leaves out where it may', () => {
    expect(jsonSchemaOf(notesPrompt.schema)).toMatchObject({
      properties: {
        notes: {
          items: { properties: { sentences: { minItems: 1, maxItems: 12 } } },
        },
      },
    });
  });

  it('takes a kind that it does not know for a fact, and an importance that it does not know for the middle', () => {
    const made = read({ sentences: 1, kind: 'rumour', importance: 'high' });
    expect(made).toMatchObject({ kind: 'fact', importance: 2 });
  });
});
