import { PromptedReader } from '../../src/llm/prompt.reader';

/** How models answer that are told in the prompt to call tools by `{"tool_name", "arguments"}`. */

/** What it is, the answer, the calls in it, and where its form is told of. */
export type PromptedCase = [
  about: string,
  answer: string,
  calls: { name: string; args: object }[],
  source?: string,
];

export const call = (args: object, name = 'deep_research') =>
  JSON.stringify({ tool_name: name, arguments: args });
const made = (args: object, name = 'deep_research') => ({ name, args });

export const KIMCHI = call({ q: 'kimchi' });
const RICE = call({ q: 'rice' });
const OF_KIMCHI = made({ q: 'kimchi' });
const OF_RICE = made({ q: 'rice' });
const NATIVE = '{"name": "deep_research", "arguments": {"q": "kimchi"}}';

const VLLM = 'https://docs.vllm.ai/en';
const HERMES = `${VLLM}/v0.18.2/api/vllm/tool_parsers/hermes_tool_parser/`;
const MISTRAL =
  'https://docs.rs/crate/tool-parser/1.6.0/source/src/parsers/mistral.rs';
const MISTRAL_ARGS = `${VLLM}/v0.29.0/api/vllm/tool_parsers/mistral_tool_parser/`;
const LLAMA = `${VLLM}/v0.10.2/api/vllm/entrypoints/openai/tool_parsers/llama_tool_parser.html`;
const LLAMA_4 = 'https://github.com/jundot/omlx/pull/1153';
const GRANITE = `${VLLM}/stable/api/vllm/parser/granite/`;
const PHI = `${VLLM}/v0.18.0/api/vllm/tool_parsers/phi4mini_tool_parser/`;
const DEEPSEEK = `${VLLM}/v0.9.2/api/vllm/entrypoints/openai/tool_parsers/index.html`;
const QWEN = 'https://github.com/NousResearch/hermes-agent/pull/83023';
const QWEN_CODER = 'https://github.com/jundot/omlx/issues/2565';
const QWEN_FENCED = 'https://github.com/mattn/tensai/pull/180';
const GEMMA = 'https://ai.google.dev/gemma/docs/capabilities/function-calling';
const GEMMA_CODE = 'https://ai.google.dev/gemma/docs/meme-generator';

/** With calls that can be made. */
export const CALLING: PromptedCase[] = [
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
  ['of a tool that does not exist', call({}, 'weather'), [made({}, 'weather')]],
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
  [
    'in the tags of Hermes',
    `<tool_call>\n${KIMCHI}\n</tool_call>`,
    [OF_KIMCHI],
    HERMES,
  ],
  [
    'in the tags of Hermes, twice',
    `<tool_call>\n${KIMCHI}\n</tool_call>\n<tool_call>\n${RICE}\n</tool_call>`,
    [OF_KIMCHI, OF_RICE],
    HERMES,
  ],
  [
    'in a tag of Hermes that is not closed',
    `<tool_call>${KIMCHI}`,
    [OF_KIMCHI],
    HERMES,
  ],
  [
    'after the scratch pad of Hermes',
    `<scratch_pad>\nGoal: an answer\n</scratch_pad>\n<tool_call>\n${KIMCHI}\n</tool_call>`,
    [OF_KIMCHI],
    HERMES,
  ],
  ['after the mark of Llama 3', `<|python_tag|>${KIMCHI}`, [OF_KIMCHI], LLAMA],
  [
    'in the list of Mistral',
    `[TOOL_CALLS] [${KIMCHI}, ${RICE}]`,
    [OF_KIMCHI, OF_RICE],
    MISTRAL,
  ],
  [
    'in the list of Granite 3.0',
    `<|tool_call|>[${KIMCHI}]`,
    [OF_KIMCHI],
    GRANITE,
  ],
  [
    'in the list of Granite 3.1',
    `<tool_call> [${KIMCHI}]`,
    [OF_KIMCHI],
    GRANITE,
  ],
  ['in the list of Phi 4 mini', `functools[${KIMCHI}]`, [OF_KIMCHI], PHI],
  [
    'after the empty thinking of Qwen 3',
    `<think>\n\n</think>\n\n<tool_call>\n${KIMCHI}\n</tool_call>`,
    [OF_KIMCHI],
    `${VLLM}/v0.31.0/api/vllm/parser/`,
  ],
  [
    'in the fence of Gemma 3',
    '```tool_code\n' + KIMCHI + '\n```',
    [OF_KIMCHI],
    GEMMA_CODE,
  ],
  [
    'in the tags of Hermes within a fence',
    '```xml\n<tool_call>\n' + KIMCHI + '\n</tool_call>\n```',
    [OF_KIMCHI],
    QWEN,
  ],
];

/** Without a call: what it is, and the answer. */
export const ORDINARY: [about: string, answer: string][] = [
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
  ['code in a fence', 'So:\n\n```js\nconst a = { b: [{}] };\n```\n'],
  ['code in quotes', 'Write `{"a": 1}` or ``[{`` or `.'],
  ['a fence with JSON in it', '```json\n{"a": [1, {"b": 2}]}\n```'],
  ['a fence with nothing in it', '```\n```\nand {that}.\n\n```json\n\n```'],
  [
    'links and formulas',
    'See [1](https://a.b/c?d={e}), [2], f(x) = {x | x < 3}.',
  ],
  ['lists that never end', 'set = {"kimchi", "rice\n\nand [ { so on'],
  ['markup', 'A <thin> <b>line</b> </thin> < 3 <thi'],
  ['an end like the begin of a call', 'Well: {tool_na'],
  ['an end like the begin of a list', 'Well: [ '],
  ['marks without a call', 'Say <tool_call> or [TOOL_CALLS] or functools.'],
  ['an end like a mark', 'Use <tool_cal'],
  ['only a mark', '<tool_call>\n'],
  ['thinking in between', 'One.<think>\nHm.\n</think>\n\nTwo.'],
  ['characters of two units', '김치 🥬 ends in 🥬'],
];

/** With a call that cannot be made, and why not. */
export const FAULTY: [about: string, answer: string, fault: string][] = [
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
];

/** Calls in a form that was not asked for. They are not understood, and are told as the texts that they are. */
export const FOREIGN: PromptedCase[] = [
  [
    'Hermes and Qwen 2.5',
    `<tool_call>\n${NATIVE}\n</tool_call>`,
    [OF_KIMCHI],
    HERMES,
  ],
  ['Qwen 2.5 Coder', NATIVE, [OF_KIMCHI], QWEN_CODER],
  [
    'Qwen 3 in four bits',
    '```json\n' + NATIVE + '\n```',
    [OF_KIMCHI],
    QWEN_FENCED,
  ],
  [
    'Qwen 3 Coder',
    '<tool_call>\n<function=deep_research>\n<parameter=q>\nkimchi\n</parameter>\n</function>\n</tool_call>',
    [OF_KIMCHI],
    QWEN,
  ],
  [
    'Llama 3.1 and 4',
    '{"name": "deep_research", "parameters": {"q": "kimchi"}}',
    [OF_KIMCHI],
    LLAMA_4,
  ],
  ['Mistral 7B', `[TOOL_CALLS] [${NATIVE}]`, [OF_KIMCHI], MISTRAL],
  [
    'Mistral Small',
    '[TOOL_CALLS]deep_research[ARGS]{"q": "kimchi"}',
    [OF_KIMCHI],
    MISTRAL_ARGS,
  ],
  ['Granite', `<|tool_call|>[${NATIVE}]`, [OF_KIMCHI], GRANITE],
  ['Phi 4 mini', `functools[${NATIVE}]`, [OF_KIMCHI], PHI],
  ['Gemma 3', "[deep_research(q='kimchi')]", [OF_KIMCHI], GEMMA],
  [
    'Gemma 3 in its fence',
    '```tool_code\ndeep_research(q="kimchi")\n```',
    [OF_KIMCHI],
    GEMMA_CODE,
  ],
  [
    'DeepSeek V3',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>deep_research\n```json\n{"q": "kimchi"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [OF_KIMCHI],
    DEEPSEEK,
  ],
];

/** The whole answer in one piece, without anybody who listens. */
export function readAtOnce(
  answer: string,
  tools: ReadonlySet<string> | null,
  heard: readonly string[] = [],
) {
  const reader = new PromptedReader(tools, heard);
  reader.push(answer);
  return reader.end();
}
