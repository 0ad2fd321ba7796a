import fc from 'fast-check';
import { type PromptedCall, readPromptedAnswer } from './prompt.calls';

const TOOLS = new Set(['deep_research']);
const read = (answer: string) => readPromptedAnswer(answer, TOOLS);
const callsOf = (answer: string) =>
  read(answer).calls.map(({ name, arguments: args, fault }: PromptedCall) =>
    fault ? { name, fault } : { name, args: JSON.parse(args) as unknown },
  );
const call = (args: object, name = 'deep_research') =>
  JSON.stringify({ tool_name: name, arguments: args });
const made = (args: object, name = 'deep_research') => ({ name, args });

const KIMCHI = call({ q: 'kimchi' });
const OF_KIMCHI = made({ q: 'kimchi' });

describe(readPromptedAnswer.name, () => {
  it.each<[string, string, object[]]>([
    ['alone', KIMCHI, [OF_KIMCHI]],
    [
      'on several lines',
      `\n${JSON.stringify(JSON.parse(KIMCHI), null, 2)}\n`,
      [OF_KIMCHI],
    ],
    ['in a fence', '```json\n' + KIMCHI + '\n```', [OF_KIMCHI]],
    ['in a fence without a language', '```\n' + KIMCHI + '\n```', [OF_KIMCHI]],
    [
      'with text around it',
      `I will look it up: ${KIMCHI} One moment.`,
      [OF_KIMCHI],
    ],
    [
      'with Korean around it',
      `조사해 보겠습니다.\n\n${KIMCHI}\n\n잠시만요.`,
      [OF_KIMCHI],
    ],
    [
      'in Korean',
      call({ q: '짜장면의 "역사"를 자세히' }),
      [made({ q: '짜장면의 "역사"를 자세히' })],
    ],
    [
      'of a tool that does not exist',
      call({}, 'weather'),
      [made({}, 'weather')],
    ],
    [
      'with an id',
      '{"id": 1, "tool_name": "deep_research", "arguments": {"q": "kimchi"}}',
      [OF_KIMCHI],
    ],
    [
      'with the arguments first',
      '{"arguments": {"q": "kimchi"}, "tool_name": "deep_research"}',
      [OF_KIMCHI],
    ],
    [
      'with its arguments as a text',
      JSON.stringify({
        tool_name: 'deep_research',
        arguments: '{"q": "kimchi"}',
      }),
      [OF_KIMCHI],
    ],
    [
      'with trailing commas',
      '{"tool_name": "deep_research", "arguments": {"q": "kimchi",},}',
      [OF_KIMCHI],
    ],
    [
      'in single quotes',
      "{'tool_name': 'deep_research', 'arguments': {'q': 'kimchi'}}",
      [OF_KIMCHI],
    ],
    [
      'in single quotes with an apostrophe',
      "{'tool_name': 'deep_research', 'arguments': {'q': 'Korea\\'s kimchi'}}",
      [made({ q: "Korea's kimchi" })],
    ],
    [
      'with names that have no quotes',
      '{tool_name: "deep_research", arguments: {q: "kimchi"}}',
      [OF_KIMCHI],
    ],
    [
      'with the constants of Python',
      "{'tool_name': 'deep_research', 'arguments': {'q': None, 'r': True}}",
      [made({ q: null, r: true })],
    ],
    [
      'with quotes in a text that are not escaped',
      '{"tool_name": "deep_research", "arguments": {"q": "the "best" kimchi"}}',
      [made({ q: 'the "best" kimchi' })],
    ],
    [
      'with a comment',
      '{"tool_name": "deep_research", /* now */ "arguments": {"q": "kimchi"}}',
      [OF_KIMCHI],
    ],
    [
      'with a line break in a text',
      '{"tool_name": "deep_research", "arguments": {"q": "kim\nchi"}}',
      [made({ q: 'kim\nchi' })],
    ],
    [
      'with brackets and fences in a text',
      call({ q: 'what is ```js\n}]{"a"``` ?' }),
      [made({ q: 'what is ```js\n}]{"a"``` ?' })],
    ],
    [
      'in a fence within a fence',
      '````md\n```json\n' + KIMCHI + '\n```\n````',
      [OF_KIMCHI],
    ],
    [
      'with marks of thinking in a text',
      call({ q: 'what is <think> and </think>?' }),
      [made({ q: 'what is <think> and </think>?' })],
    ],
    [
      'after brackets of prose',
      `Let {x} be [1](https://a.b), f(x) = {1, 2. ${KIMCHI}`,
      [OF_KIMCHI],
    ],
    [
      'after thinking of another one',
      `<think>${call({ q: 'rice' })}</think>${KIMCHI}`,
      [OF_KIMCHI],
    ],
    [
      'after thinking that began in the prompt',
      `Maybe ${call({ q: 'rice' })}?\n</think>\n${KIMCHI}`,
      [OF_KIMCHI],
    ],
    [
      'before and after another one',
      `${KIMCHI}\n${call({ q: 'rice' })}`,
      [OF_KIMCHI, made({ q: 'rice' })],
    ],
    [
      'in fences of their own',
      '```json\n' +
        KIMCHI +
        '\n```\nand\n```json\n' +
        call({ q: 'rice' }) +
        '\n```',
      [OF_KIMCHI, made({ q: 'rice' })],
    ],
    [
      'in an array',
      `[${KIMCHI}, ${call({ q: 'rice' })}]`,
      [OF_KIMCHI, made({ q: 'rice' })],
    ],
    ['in an array with a trailing comma', `[\n${KIMCHI},\n]`, [OF_KIMCHI]],
  ])('finds a call %s', (_, answer, calls) => {
    expect(callsOf(answer)).toEqual(calls);
  });

  it.each([
    ['prose', 'Kimchi is {fermented} [cabbage].'],
    ['nothing', ''],
    [
      'an ordinary object',
      '{"title": "Kimchi", "arguments": ["for", "against"]}',
    ],
    [
      'an ordinary array',
      '[{"tool_name": "hammer", "price": 3}, {"tool_name": "saw", "price": 5}]',
    ],
    [
      'a list in which only one looks like a call',
      `[${KIMCHI}, {"title": "Rice"}]`,
    ],
    ['a call inside an object', `{"example": ${KIMCHI}}`],
    [
      'a call inside a text of an object',
      JSON.stringify({ answer: `Write ${KIMCHI}` }),
    ],
    [
      'a call inside an object that is cut off',
      `{"answer": "yes", "example": ${KIMCHI}, "more": `,
    ],
    ['a call inside broken JSON', `{"example": ${KIMCHI}, "more": "a" "b",,}`],
    ['a name that is no text', '{"tool_name": 5, "arguments": {}}'],
    ['a name that is empty', '{"tool_name": "", "arguments": {}}'],
    ['the name of nothing that exists, alone', '{"tool_name": "hammer"}'],
    [
      'the shape of another protocol',
      '{"name": "deep_research", "parameters": {}}',
    ],
    [
      'a call that was only thought of',
      `<think>Should I? ${KIMCHI}</think>No need.`,
    ],
    ['a call in thinking that never ends', `<think>${KIMCHI}`],
  ])('takes %s for no call', (_, answer) => {
    expect(read(answer).calls).toEqual([]);
  });

  it.each([
    ['no arguments', '{"tool_name": "deep_research"}', 'it has no "arguments"'],
    [
      'arguments that are null',
      '{"tool_name": "deep_research", "arguments": null}',
      '"arguments" is not one JSON object',
    ],
    [
      'arguments that are a list',
      '{"tool_name": "deep_research", "arguments": ["kimchi"]}',
      '"arguments" is not one JSON object',
    ],
    [
      'arguments that are a plain text',
      '{"tool_name": "deep_research", "arguments": "kimchi"}',
      '"arguments" is not one JSON object',
    ],
    [
      'arguments as a text that is cut off',
      '{"tool_name": "deep_research", "arguments": "{\\"q\\": \\"kim"}',
      '"arguments" is not one JSON object',
    ],
    [
      'an end that is missing',
      '{"tool_name": "deep_research", "arguments": {"q": "kim',
      'the JSON ends before it is complete',
    ],
    [
      'a last bracket that is missing',
      '{"tool_name": "deep_research", "arguments": {"q": "kimchi"}',
      'the JSON ends before it is complete',
    ],
    [
      'JSON beyond repair',
      '{"tool_name": "deep_research", "arguments": {"q" "kimchi" : : }}',
      'it is not valid JSON',
    ],
  ])('names the fault of a call with %s', (_, answer, fault) => {
    expect(callsOf(answer)).toEqual([{ name: 'deep_research', fault }]);
  });

  it.each(['null', '["kimchi"]', '"{\\"q\\": \\"kim"'])(
    'hands on the arguments %s as no object, so that nothing can be called with them',
    (args) => {
      const [bad] = read(
        `{"tool_name": "deep_research", "arguments": ${args}}`,
      ).calls;
      expect(bad.arguments).toBe(args);
    },
  );

  it.each([
    ['with words around it', (call: string) => `It says: ${call} there.`],
    ['alone', (call: string) => call],

    ['with other blanks', (call: string) => call.replace(/[:{,]/g, '$&\n  ')],
  ])('takes a quotation %s for no call', (_, quote) => {
    const told = ['What does it say?', `<document>${KIMCHI}</document>`];
    const answer = quote(KIMCHI);
    expect(readPromptedAnswer(answer, TOOLS, told)).toMatchObject({
      calls: [],
      text: answer,
    });
    const other = answer.replace('kimchi', 'rice');
    expect(readPromptedAnswer(other, TOOLS, told).calls).toHaveLength(1);
  });

  it('keeps apart what was thought, said and called', () => {
    const answer = `<think>Hm.</think>\nI look it up.\n\`\`\`json\n${KIMCHI}\n\`\`\`\n<think>Good.</think>`;
    expect(read(answer)).toEqual({
      thinking: 'Hm.Good.',
      said: `I look it up.\n\`\`\`json\n${KIMCHI}\n\`\`\``,
      text: 'I look it up.',
      calls: [{ name: 'deep_research', arguments: '{"q":"kimchi"}' }],
    });
  });

  it('leaves an answer without calls as it is', () => {
    const answer =
      '```\n```\nSee:\n\n```json\n{"a": [1, {"b": 2}]}\n```\n\nand {that}.';
    expect(read(answer)).toMatchObject({ text: answer, said: answer });
  });

  it('finds every call again, whatever its arguments hold', () => {
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

  it('never throws, whatever the model wrote', () => {
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
