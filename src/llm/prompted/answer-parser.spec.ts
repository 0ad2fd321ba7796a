import fc from 'fast-check';
import {
  choices,
  type Choices,
  pieces,
} from '../../../test/support/message.arbitrary';
import {
  call,
  CALLING,
  FAULTY,
  GOING_ON,
  KIMCHI,
  ORDINARY,
  readAtOnce,
} from '../../../test/support/upstream/prompted-answers';
import { AnswerParser } from './answer-parser';
import { Sections } from './answer-sections';

const TOOLS = new Set(['deep_research']);
const ANSWERS = [...CALLING, ...ORDINARY, ...FAULTY, ...GOING_ON].map(
  ([about, answer]): [string, string] => [about, answer],
);
/** Only of these may a prefix be emitted before it is known to be thinking. */
const thinksFromTheBegin = (answer: string) =>
  new Sections().push(answer).some(({ kind }) => kind === 'thought');

/** The emitted text after each fragment of the answer, and at the end. */
const stream = (
  parts: readonly string[],
  tools: Set<string> | null = TOOLS,
) => {
  let [text, thinking] = ['', ''];
  const reader = new AnswerParser(tools, [], {
    emitText: (more) => (text += more),
    emitThinking: (more) => (thinking += more),
  });
  const emitted = parts.map((part) => {
    reader.push(part);
    return text;
  });
  const read = reader.end();
  return { emitted: [...emitted, text], text, thinking, read };
};
const units = (answer: string) => answer.split('');
const asOne = (answer: string) => readAtOnce(answer, TOOLS);

const MARKS =
  '{ } [ ] ( ) = " \' : , \\ ` ``` ```` < <think> </think> <tool_call> </tool_call> functools <function= <function=deep_research> <parameter=q> </parameter> </function> [TOOL_CALLS] [ARGS] <|start|>assistant <|channel|>final <|channel|>analysis <|channel|>commentary <|message|> <|end|> <|call|> to=functions.deep_research <｜tool▁call▁begin｜> <｜tool▁sep｜> ```tool_code'.split(
    ' ',
  );
const WORDS = '"tool_name" "arguments" tool_name json 짜장면 null 1 /* “'.split(
  ' ',
);
const JSONS = [
  'deep_research(q="a")',
  '[deep_research(',
  '{"name": "deep_research", "arguments": {}}',
  '{}',
  'for example',
  'Tool result',
  KIMCHI,
  '{"title": "Kimchi"}',
  `[${KIMCHI}]`,
];
const token = fc.constantFrom(...MARKS, ...WORDS, ...JSONS, ' ', '\n');
const soup = fc.array(token, { maxLength: 40 }).map((all) => all.join(''));

/** Fragments parse like the whole answer, and emitted text is never retracted. */
const expectTheSame = (answer: string, parts: readonly string[]) => {
  const { emitted, text, thinking, read } = stream(parts);
  expect(read).toEqual(asOne(answer));
  expect(text).toBe(read.text);
  if (read.calls.length === 0) expect(text).toBe(read.raw);
  expect(thinking.trim()).toBe(read.thinking);
  expect(emitted.filter((sofar) => !text.startsWith(sofar))).toEqual([]);
};

describe(AnswerParser.name, () => {
  const streamedCalls = CALLING.filter(
    ([, answer]) => !thinksFromTheBegin(answer),
  );
  const streamed = ANSWERS.filter(([, answer]) => !thinksFromTheBegin(answer));

  it.each(streamed)(
    'parses %s in any fragments as in one piece',
    (_, answer) => {
      expectTheSame(answer, units(answer));
      fc.assert(
        fc.property(choices, (from: Choices) =>
          expectTheSame(answer, pieces(answer, from)),
        ),
        { numRuns: 8 },
      );
    },
  );

  it('parses any answer in fragments as in one piece', () => {
    const answers = soup.filter((answer) => !thinksFromTheBegin(answer));
    fc.assert(
      fc.property(answers, choices, (answer, from) => {
        expectTheSame(answer, units(answer));
        expectTheSame(answer, pieces(answer, from));
      }),
      { numRuns: 500 },
    );
  });

  it.each(streamedCalls)('emits nothing of a call %s', (_, answer) => {
    expect(stream(units(answer)).text).not.toMatch(
      /tool_name|arguments|deep_research|weather|kimchi|rice|tool_call|TOOL_CALLS|functools|function|parameter|```|<\||<｜/,
    );
  });

  it('emits the text before calls, and nothing of or after them, for any arguments', () => {
    const words = fc
      .array(fc.constantFrom('Let', 'me', 'see.', '하나', '(1)', 'f(x)', '\n'))
      .map((all) => all.join(' '));
    const args = fc.dictionary(fc.string(), fc.jsonValue());
    const native = (one: object) =>
      JSON.stringify({ name: 'deep_research', arguments: one });
    const wrapped = fc.oneof(
      fc
        .tuple(
          fc.oneof(
            args.map((one) => call(one)),
            args.map(native),
          ),
          fc.constantFrom<[string, string]>(
            ['', ''],
            ['```json\n', '\n```'],
            ['````\n```\n', '\n```\n````'],
            ['<tool_call>\n', '\n</tool_call>'],
            ['```xml\n<tool_call>', '</tool_call>\n```'],
            ['[TOOL_CALLS] [', ']'],
            ['functools[', ']'],
            ['<|python_tag|>', '<|eom_id|>'],
          ),
        )
        .map(([made, [before, after]]) => before + made + after),
      fc
        .tuple(
          args.map((one) => JSON.stringify(one)),
          fc.constantFrom<[string, string]>(
            ['<function=deep_research>', '</function>'],
            ['[TOOL_CALLS]deep_research[ARGS]', ''],
            [
              '<|start|>assistant<|channel|>commentary to=functions.deep_research <|constrain|>json<|message|>',
              '<|call|>',
            ],
            [
              '<｜tool▁call▁begin｜>function<｜tool▁sep｜>deep_research\n```json\n',
              '\n```<｜tool▁call▁end｜>',
            ],
          ),
        )
        .map(([made, [before, after]]) => before + made + after),
    );
    const turns = fc.array(wrapped, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(words, turns, words, choices, (prose, made, last, from) => {
        const answer = `${prose}\n${made.join('\n')}\n${last}`;
        const { text, read } = stream(pieces(answer, from));
        expect(read.calls).toHaveLength(made.length);
        expect(text.replace(/\s/g, '')).toBe(prose.replace(/\s/g, ''));
      }),
    );
  });

  it('returns an answer without calls unchanged, but trimmed', () => {
    for (const [, answer] of ORDINARY.filter(
      ([, one]) => !one.includes('<think>'),
    )) {
      expect(stream(units(`\n ${answer} \n`)).text).toBe(answer.trim());
    }
  });

  it('emits ordinary text without waiting for its end', () => {
    const { emitted } = stream([
      'Kimchi is',
      ' cabbage',
      ' {fermented',
      '} in ',
    ]);
    expect(emitted).toEqual([
      'Kimchi is',
      'Kimchi is cabbage',
      'Kimchi is cabbage {fermented',
      'Kimchi is cabbage {fermented} in',
      'Kimchi is cabbage {fermented} in',
    ]);
  });

  it('emits JSON that is not a call as soon as that is decided', () => {
    const { emitted } = stream(['See: {"a": [1,', ' 2]}', ' and']);
    expect(emitted.slice(0, 3)).toEqual([
      'See:',
      'See: {"a": [1, 2]}',
      'See: {"a": [1, 2]} and',
    ]);
  });

  it('keeps emitted text of an answer that turns out late to be thinking', () => {
    const answer = `Maybe ${call({ q: 'rice' })}?\n</think>\n${KIMCHI}`;
    const { emitted, read } = stream([
      answer.slice(0, 8),
      answer.slice(8, 12),
      answer.slice(12),
    ]);
    expect(emitted.at(-1)).toBe('Maybe');
    expect(read.calls).toEqual(asOne(answer).calls);
    expect(asOne(answer).text).toBe('');
  });

  it('finds no calls if no tools were described', () => {
    const { text, read } = stream(units(`Write ${KIMCHI}`), null);
    expect(text).toBe(`Write ${KIMCHI}`);
    expect(read.calls).toEqual([]);
  });
});
