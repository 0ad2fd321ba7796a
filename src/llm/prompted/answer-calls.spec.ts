import fc from 'fast-check';
import {
  call,
  CALLING,
  FAULTY,
  GOING_ON,
  KIMCHI,
  ORDINARY,
  readAtOnce,
} from '../../../test/support/upstream/prompted-answers';
import type { PromptedCall } from './answer-calls';
import { AnswerParser } from './answer-parser';

const TOOLS = new Set(['deep_research']);
const read = (answer: string) => readAtOnce(answer, TOOLS);
/** Of those that models write around calls. */
const MARK =
  /<\||\|>|<｜|tool_calls?>|TOOL_CALLS|<\/?function|<\/?parameter|functools|tool_code/;
const callsOf = (answer: string) =>
  read(answer).calls.map(({ name, arguments: args, fault }: PromptedCall) =>
    fault ? { name, fault } : { name, args: JSON.parse(args) as unknown },
  );
describe(AnswerParser.name, () => {
  it.each(CALLING)('finds a call %s', (_, answer, calls) => {
    expect(callsOf(answer)).toEqual(calls);
  });

  it.each(ORDINARY)('does not treat %s as a call', (_, answer) => {
    expect(read(answer).calls).toEqual([]);
  });

  it.each(GOING_ON)('drops after a call %s', (_, answer, text, calls) => {
    expect(callsOf(answer)).toEqual(calls);
    expect(read(answer).text).toBe(text);
    expect(read(answer).raw).not.toMatch(/-99|moment|then|1883/);
  });

  it('covers more than a hundred answers', () => {
    const tables = [CALLING, ORDINARY, FAULTY, GOING_ON];
    expect(tables.flat().length).toBeGreaterThan(140);
  });

  it.each(CALLING)(
    'leaves no mark in the text beside a call %s',
    (_, answer) => {
      expect(read(answer).text).not.toMatch(MARK);
      expect(read(answer).raw).not.toMatch(MARK);
    },
  );

  it('repeats calls in a native format in the requested one', () => {
    const answer =
      'I look.\n<function=deep_research>{"q": "kimchi"}</function>\n';
    expect(read(answer).raw).toBe(
      'I look.\n{"tool_name":"deep_research","arguments":{"q":"kimchi"}}',
    );
  });

  it('recognises a call between the channels of harmony', () => {
    const answer =
      '<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>It is cabbage.<|return|>';
    expect(read(answer)).toEqual({
      calls: [],
      text: 'It is cabbage.',
      raw: 'It is cabbage.',
      thinking: 'Easy.',
    });
  });

  it.each(FAULTY)('names the fault of a call with %s', (_, answer, fault) => {
    expect(callsOf(answer)).toEqual([{ name: 'deep_research', fault }]);
  });

  it.each(['null', '["kimchi"]', '"{\\"q\\": \\"kim"'])(
    'reports the arguments %s as a fault, so that no tool runs with them',
    (args) => {
      const [bad] = read(
        `{"tool_name": "deep_research", "arguments": ${args}}`,
      ).calls;
      expect(bad.arguments).toBe(args);
    },
  );

  it.each([
    ['after words', (call: string) => `It says:\n${call}`],
    ['alone', (call: string) => call],
    ['with other blanks', (call: string) => call.replace(/[:{,]/g, '$&\n  ')],
  ])('takes a quotation %s for no call', (_, quote) => {
    const inputs = ['What does it say?', `<document>${KIMCHI}</document>`];
    const answer = quote(KIMCHI);
    expect(readAtOnce(answer, TOOLS, inputs)).toMatchObject({
      calls: [],
      text: answer,
    });
    const other = answer.replace('kimchi', 'rice');
    expect(readAtOnce(other, TOOLS, inputs).calls).toHaveLength(1);
  });

  it('separates thinking, text and calls', () => {
    const answer = `<think>Hm.</think>\nI look it up.\n\`\`\`json\n${KIMCHI}\n\`\`\`\n<think>Good.</think>`;
    expect(read(answer)).toEqual({
      thinking: 'Hm.Good.',
      raw: `I look it up.\n\`\`\`json\n${KIMCHI}\n\`\`\``,
      text: 'I look it up.',
      calls: [{ name: 'deep_research', arguments: '{"q":"kimchi"}' }],
    });
  });

  it('returns an answer without calls unchanged', () => {
    const answer =
      '```\n```\nSee:\n\n```json\n{"a": [1, {"b": 2}]}\n```\n\nand {that}.';
    expect(read(answer)).toMatchObject({ text: answer, raw: answer });
  });

  it('finds every call again, for any arguments', () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(args, { minLength: 1, maxLength: 3 }), (list) => {
        const written = list.map((one) => call(one));
        const expected = list.map((one) => JSON.parse(JSON.stringify(one)));
        for (const answer of [written.join('\n'), `[${written.join()}]`]) {
          const found = read(answer).calls.map(({ arguments: found }) =>
            JSON.parse(found),
          );
          expect(found).toEqual(expected);
        }
      }),
    );
  });

  it('never throws, for any answer', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ':',
      ',',
      '\\',
      '```',
      ' ',
      '\n',
      '<think>',
      '</think>',
      '"tool_name"',
      '"arguments"',
      'tool_name',
      'deep_research',
      '짜장면',
      'null',
      '1',
      '/*',
      '“',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        expect(() => read(tokens.join(''))).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});
