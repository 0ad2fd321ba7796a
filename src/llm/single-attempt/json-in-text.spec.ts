import fc from 'fast-check';
import { jsonInText } from './json-in-text';

const VALUE = { notes: [{ claim: 'It is "old".', quote: 'since 1883 [1]' }] };
const JSON_TEXT = JSON.stringify(VALUE);
const hasNotes = (value: object) => Object.hasOwn(value, 'notes');
const read = (text: string, whole = true) => jsonInText(text, whole, hasNotes);

describe(jsonInText.name, () => {
  it.each([
    ['alone', JSON_TEXT],
    ['on several lines', `\n${JSON.stringify(VALUE, null, 2)}\n`],
    ['in a list of one', `[${JSON_TEXT}]`],
    ['under the name of its schema', `{"research_notes": ${JSON_TEXT}}`],
    [
      'under a name in a list of one',
      `[{"name": "research_notes", "arguments": ${JSON_TEXT}}]`,
    ],
    ['in a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ['in a fence without a language', `\`\`\`\n${JSON_TEXT}\n\`\`\``],
    [
      'after an introduction',
      `Here are the notes {of the page} [1]:\n\n${JSON_TEXT}`,
    ],
    ['before a remark', `${JSON_TEXT}\n\nI hope this helps {you}!`],
    [
      'between texts in Korean',
      `다음은 메모입니다:\n${JSON_TEXT}\n이상입니다.`,
    ],
    ['after another object', `{"thought": "I read it."}\n${JSON_TEXT}`],
    [
      'after a bracket that does not close',
      `I use { "x" for it.\n${JSON_TEXT}`,
    ],
    ['with a trailing comma', JSON_TEXT.replace(']}', '],}')],
    ['with a missing last bracket', JSON_TEXT.slice(0, -1)],
    [
      'in a fence with a missing last bracket',
      `\`\`\`json\n${JSON_TEXT.slice(0, -1)}\n\`\`\``,
    ],
    [
      'with names without quotes',
      JSON_TEXT.replace(/"(notes|claim|quote)"/g, '$1'),
    ],
  ])('finds JSON %s', (_, text) => {
    expect(read(text)).toEqual(VALUE);
  });

  it('takes no value out of a list of several', () => {
    expect(read(`[${JSON_TEXT}, ${JSON_TEXT}]`)).toEqual([VALUE, VALUE]);
  });

  it.each([
    ['an empty answer', ''],
    ['prose', 'I found nothing {sorry} [1] about it.'],
    ['a text of JSON', '"notes"'],
    ['a number', '42'],
    ['null', 'null'],
  ])('finds nothing in %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('does not complete an answer that was cut off', () => {
    expect(read(JSON_TEXT.slice(0, -2), false)).not.toEqual(VALUE);
    expect(read('{"notes": [{"claim": "It is', false)).toBeUndefined();
    expect(read(`${JSON_TEXT}\nAnd`, false)).toEqual(VALUE);
  });

  it('finds any object behind any introduction without brackets', () => {
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replace(/[{}[\]"'“`]/g, '')),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (introduction, fields) => {
          const value = { notes: [], ...fields };
          expect(read(`${introduction}\n${JSON.stringify(value)}`)).toEqual(
            JSON.parse(JSON.stringify(value)),
          );
        },
      ),
    );
  });

  it.each([
    ['open brackets', '{"a":'.repeat(40_000)],
    ['open lists', '['.repeat(200_000)],
    ['fences', '```a\n'.repeat(40_000)],
    ['quotes', '{"'.repeat(100_000)],
    ['small objects', '{"a":,}'.repeat(28_000)],
    ['spaces', '{   '.repeat(50_000)],
  ])('returns from 200 kB of %s', (_, text) => {
    expect(() => read(text)).not.toThrow();
  });
});
