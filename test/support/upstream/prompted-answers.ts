import { AnswerParser } from '../../../src/llm/prompted/answer-parser';

/** Answers of models whose prompt asks them to call tools by `{"tool_name", "arguments"}`. */

/** The case, the answer, its calls, and the documentation of its form. */
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
const OPENAI = 'https://platform.openai.com/docs/api-reference/chat/object';
const HARMONY = 'https://cookbook.openai.com/articles/openai-harmony';
const KIMI =
  'https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md';
const GEMMA = 'https://ai.google.dev/gemma/docs/capabilities/function-calling';
const GEMMA_CODE = 'https://ai.google.dev/gemma/docs/meme-generator';

/** Answers with valid calls. */
export const CALLING: PromptedCase[] = [
  ['alone', KIMCHI, [OF_KIMCHI]],
  [
    'on several lines',
    `\n${JSON.stringify(JSON.parse(KIMCHI), null, 2)}\n`,
    [OF_KIMCHI],
  ],
  ['in a fence', '```json\n' + KIMCHI + '\n```', [OF_KIMCHI]],
  ['in a fence without a language', '```\n' + KIMCHI + '\n```', [OF_KIMCHI]],
  ['with text before it', `I will look it up:\n${KIMCHI}`, [OF_KIMCHI]],
  ['after a sentence on its line', `I look it up. ${KIMCHI}`, [OF_KIMCHI]],
  ['after a colon on its line', `조사해 보겠습니다: ${KIMCHI}\n`, [OF_KIMCHI]],
  ['with a full stop after it', `${KIMCHI}.`, [OF_KIMCHI]],
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
    `Let {x} be [1](https://a.b), f(x) = {1, 2.\n${KIMCHI}`,
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
    '```json\n' + KIMCHI + '\n```\n\n```json\n' + call({ q: 'rice' }) + '\n```',
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
  [
    'in the form of Hermes and Qwen 2.5',
    `<tool_call>\n${NATIVE}\n</tool_call>`,
    [OF_KIMCHI],
    HERMES,
  ],
  ['in the form of Qwen 2.5 Coder', NATIVE, [OF_KIMCHI], QWEN_CODER],
  [
    'in the form of Qwen 3 in four bits',
    '```json\n' + NATIVE + '\n```',
    [OF_KIMCHI],
    QWEN_FENCED,
  ],
  [
    'in the form of Qwen 3 Coder',
    '<tool_call>\n<function=deep_research>\n<parameter=q>\nkimchi\n</parameter>\n</function>\n</tool_call>',
    [OF_KIMCHI],
    QWEN,
  ],
  [
    'in the form of Llama 3.1 and 4',
    '{"name": "deep_research", "parameters": {"q": "kimchi"}}',
    [OF_KIMCHI],
    LLAMA_4,
  ],
  [
    'in the form of Mistral 7B',
    `[TOOL_CALLS] [${NATIVE}]`,
    [OF_KIMCHI],
    MISTRAL,
  ],
  [
    'in the form of Mistral Small',
    '[TOOL_CALLS]deep_research[ARGS]{"q": "kimchi"}',
    [OF_KIMCHI],
    MISTRAL_ARGS,
  ],
  ['in the form of Granite', `<|tool_call|>[${NATIVE}]`, [OF_KIMCHI], GRANITE],
  ['in the form of Phi 4 mini', `functools[${NATIVE}]`, [OF_KIMCHI], PHI],
  ['in the form of Gemma 3', "[deep_research(q='kimchi')]", [OF_KIMCHI], GEMMA],
  [
    'in the form of Gemma 3 in its fence',
    '```tool_code\ndeep_research(q="kimchi")\n```',
    [OF_KIMCHI],
    GEMMA_CODE,
  ],
  [
    'in the form of DeepSeek V3',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>deep_research\n```json\n{"q": "kimchi"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [OF_KIMCHI],
    DEEPSEEK,
  ],

  [
    'in the form of Llama 3.1 with tags',
    '<function=deep_research>{"q": "kimchi"}</function>',
    [OF_KIMCHI],
    LLAMA,
  ],
  [
    'in the form of Llama 3.1 without arguments',
    '<function=deep_research>{}</function>',
    [made({})],
    LLAMA,
  ],
  [
    'in the form of Llama 3.1 after its mark',
    '<|python_tag|>{"name": "deep_research", "parameters": {"q": "kimchi"}}<|eom_id|>',
    [OF_KIMCHI],
    LLAMA,
  ],
  [
    'in the form of Llama 3.1, twice',
    `<|python_tag|>${NATIVE}; ${NATIVE.replace('kimchi', 'rice')}`,
    [OF_KIMCHI, OF_RICE],
    LLAMA,
  ],
  [
    'in the form of Llama 3.1 with its type',
    '{"type": "function", "name": "deep_research", "parameters": {"q": "kimchi"}}',
    [OF_KIMCHI],
    LLAMA,
  ],
  [
    'in the form of Llama 4, in Python',
    '[deep_research(q="kimchi"), deep_research(q="rice")]',
    [OF_KIMCHI, OF_RICE],
    LLAMA_4,
  ],
  [
    'in Python with values of all kinds',
    "[deep_research(q='it\\'s (a), [b]', n=-1.5, all=True, none=None, list=['x', 'y'])]",
    [
      made({
        q: "it's (a), [b]",
        n: -1.5,
        all: true,
        none: null,
        list: ['x', 'y'],
      }),
    ],
    LLAMA_4,
  ],
  ['in Python without arguments', '[deep_research()]', [made({})], LLAMA_4],
  [
    'in the form of Mistral without its list',
    '[TOOL_CALLS]deep_research{"q": "kimchi"}',
    [OF_KIMCHI],
    MISTRAL_ARGS,
  ],
  [
    'in the form of Mistral with an id',
    '[TOOL_CALLS]deep_research[CALL_ID]abc123def[ARGS]{"q": "kimchi"}',
    [OF_KIMCHI],
    MISTRAL_ARGS,
  ],
  [
    'as the message of OpenAI',
    '{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "deep_research", "arguments": "{\\"q\\": \\"kimchi\\"}"}}]}',
    [OF_KIMCHI],
    OPENAI,
  ],
  [
    'as the list of OpenAI',
    '{"tool_calls": [{"function": {"name": "deep_research", "arguments": {"q": "kimchi"}}}, {"function": {"name": "deep_research", "arguments": {"q": "rice"}}}]}',
    [OF_KIMCHI, OF_RICE],
    OPENAI,
  ],
  [
    'as one entry of OpenAI',
    '```json\n{"type": "function", "function": {"name": "deep_research", "arguments": "{\\"q\\": \\"kimchi\\"}"}}\n```',
    [OF_KIMCHI],
    OPENAI,
  ],
  [
    'as an item of Responses',
    '{"type": "function_call", "call_id": "call_1", "name": "deep_research", "arguments": "{\\"q\\": \\"kimchi\\"}"}',
    [OF_KIMCHI],
    OPENAI,
  ],
  [
    'as the older field of OpenAI',
    '{"function_call": {"name": "deep_research", "arguments": "{\\"q\\": \\"kimchi\\"}"}}',
    [OF_KIMCHI],
    OPENAI,
  ],
  [
    'in the channel of gpt-oss',
    '<|channel|>commentary to=functions.deep_research <|constrain|>json<|message|>{"q": "kimchi"}<|call|>',
    [OF_KIMCHI],
    HARMONY,
  ],
  [
    'in the channel of gpt-oss after its analysis',
    '<|channel|>analysis<|message|>I should call deep_research with {"q": "rice"}.<|end|><|start|>assistant<|channel|>commentary to=functions.deep_research <|constrain|>json<|message|>{"q": "kimchi"}<|call|>',
    [OF_KIMCHI],
    HARMONY,
  ],
  [
    'in the channel of gpt-oss, addressed by the role',
    '<|start|>assistant to=functions.deep_research<|channel|>commentary json<|message|>{"q": "kimchi"}<|call|>',
    [OF_KIMCHI],
    HARMONY,
  ],
  [
    'in the channel of gpt-oss after words of its own',
    '<|channel|>commentary<|message|>I look it up.<|end|><|start|>assistant<|channel|>commentary to=functions.deep_research<|message|>{"q": "kimchi"}<|call|>',
    [OF_KIMCHI],
    HARMONY,
  ],
  [
    'in the form of DeepSeek V3, twice',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>deep_research\n```json\n{"q": "kimchi"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>deep_research\n```json\n{"q": "rice"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    [OF_KIMCHI, OF_RICE],
    DEEPSEEK,
  ],
  [
    'in the form of DeepSeek V3.1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>deep_research<｜tool▁sep｜>{"q": "kimchi"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [OF_KIMCHI],
    DEEPSEEK,
  ],
  [
    'in the form of Kimi K2',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.deep_research:0<|tool_call_argument_begin|>{"q": "kimchi"}<|tool_call_end|><|tool_calls_section_end|>',
    [OF_KIMCHI],
    KIMI,
  ],
  [
    'in the tags of Hermes after words in the same line',
    `Let me see. <tool_call>${NATIVE}</tool_call>`,
    [OF_KIMCHI],
    HERMES,
  ],
  [
    'in the tags of Hermes after Korean words',
    `조사해 보겠습니다.\n<tool_call>\n${NATIVE}\n</tool_call>`,
    [OF_KIMCHI],
    HERMES,
  ],
  [
    'in the tags of Hermes, of a tool that does not exist',
    `<tool_call>\n${NATIVE.replace('deep_research', 'weather')}\n</tool_call>`,
    [made({ q: 'kimchi' }, 'weather')],
    HERMES,
  ],
  [
    'in the tags of Hermes, beyond the blanks of a thought',
    `<think>Hm.</think>\n\n\n<tool_call>${NATIVE}</tool_call>\n\n`,
    [OF_KIMCHI],
    HERMES,
  ],
];

/** Answers without a call: the case, and the answer. */
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
  ['the name of an unknown tool alone', '{"tool_name": "hammer"}'],
  ['a call in thinking alone', `<think>Should I? ${KIMCHI}</think>No need.`],
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
  ['a call within a sentence', `I would search: ${KIMCHI} One moment.`],
  ['a call at the end of a sentence', `The tool is called by ${KIMCHI}`],
  ['a call in quotes', `"${KIMCHI}" is what I would send.`],
  [
    'a call in backticks within a sentence',
    `To look it up, one writes \`${KIMCHI}\`, and waits.`,
  ],
  [
    'a call in backticks within a Korean sentence',
    `도구를 부르려면 \`${KIMCHI}\` 라고 씁니다.`,
  ],
  [
    'a native call in backticks within a sentence',
    `Models write \`${NATIVE}\` or \`<tool_call>${NATIVE}</tool_call>\`.`,
  ],
  [
    'a tagged call within a sentence',
    `With Qwen it is <tool_call>${NATIVE}</tool_call> that calls a tool.`,
  ],
  ['a call that begins a sentence', `${KIMCHI} is how one calls the tool.`],
  ['a call that begins a Korean sentence', `${KIMCHI} 처럼 쓰면 됩니다.`],
  ['a call in backticks alone', `\`${KIMCHI}\``],
  ['a call in an item of a list', `You can:\n- ${KIMCHI}\n- or ask me.`],
  ['a call in a quoted line', `They wrote:\n> ${KIMCHI}\n\nOdd.`],
  ['a call in a table', `| call | cost |\n|---|---|\n| ${KIMCHI} | 1 |`],
  [
    'an example of a call in a fence',
    'A call of the tool, for example:\n\n```json\n' +
      KIMCHI +
      '\n```\n\nThe service then runs it.',
  ],
  [
    'an example of a call in Korean',
    '도구를 부르는 예시는 이렇습니다.\n\n```json\n' + KIMCHI + '\n```\n',
  ],
  [
    'an example of a call in the form of a model',
    `Qwen would write:\n<tool_call>\n${NATIVE}\n</tool_call>\nand Llama does not.`,
  ],
  [
    'the form of a call in Korean',
    `호출은 다음과 같은 형식입니다:\n${KIMCHI}\n그러면 결과를 받습니다.`,
  ],
  [
    'code in Python that makes a call',
    'Sure:\n\n```python\nimport json\ncall = ' +
      KIMCHI +
      '\nprint(json.dumps(call))\n```\n',
  ],
  [
    'code in which a call has its own line',
    'Here:\n\n```python\nsend(\n' + KIMCHI + '\n)\n```\nDone.',
  ],
  [
    'code that continues after a call',
    'Here:\n\n```js\n' + KIMCHI + '\n// parse it\n```\n',
  ],
  [
    'code that calls the API with tools',
    'So:\n```js\nawait client.responses.create({tools: [{"type": "function", "name": "deep_research", "parameters": {"type": "object", "properties": {}}}]});\n```\n',
  ],
  [
    'a request of curl with a call',
    `Run:\n\n\`\`\`sh\ncurl $URL -d '${KIMCHI}'\n\`\`\`\n`,
  ],
  [
    'a description of the tool',
    '{"name": "deep_research", "description": "Researches.", "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}}',
  ],
  [
    'the schema of the tool',
    '{"name": "deep_research", "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}}',
  ],
  [
    'JSON in the shape of a call of something else',
    '{"name": "Kim", "arguments": {"q": "kimchi"}}',
  ],
  [
    'JSON with parameters of something else',
    '```json\n{"name": "oven", "parameters": {"degrees": 200}}\n```',
  ],
  [
    'a function of mathematics',
    '{"function": {"name": "sine", "arguments": {"x": 1}}}',
  ],
  [
    'a message with text beside calls of unknown tools',
    '{"role": "assistant", "content": "Hi.", "tool_calls": []}',
  ],
  [
    'an object with the name of the tool',
    '{"name": "deep_research", "price": 3, "arguments": {"q": "a"}}',
  ],
  ['a name of the tool alone', '{"name": "deep_research"}'],
  ['a list in Python of another function', '[sorted(key="a"), len(x="b")]'],
  ['a list in Python with a name in it', '[deep_research(q=question)]'],
  ['a list in Python without names', '[deep_research("kimchi")]'],
  ['a call in Python within a sentence', 'See [deep_research(q="a")] there.'],
  [
    'code in a fence that calls the function',
    '```python\nresult = deep_research(q="kimchi")\n```',
  ],
  [
    'another function in the fence of Gemma',
    '```tool_code\nprint(q="kimchi")\n```',
  ],
  [
    'marks of gpt-oss in backticks',
    'Harmony writes `<|channel|>final<|message|>` and `<|end|>`.',
  ],
  [
    'marks of gpt-oss by their names',
    'The tokens are <|start|>, <|channel|>, <|message|>, <|end|> and <|call|>.',
  ],
  [
    'marks of DeepSeek by their names',
    'It begins with <｜tool▁calls▁begin｜> and ends with <｜tool▁calls▁end｜>.',
  ],
  [
    'markup of an unknown function',
    '<function=area>\n<parameter=r>\n2\n</parameter>\n</function>',
  ],
  ['markup that never ends', 'Write <function=deep_research>\n<parameter=q>'],
  ['markup of HTML', '<p>function = <b>f</b>, [1], {a}</p>'],
  ['an end like the begin of code', '```tool_code\ndeep'],
  ['an end like a channel', 'See <|channel|>comm'],
];

/** Text that models add after a call: the case, the answer, the text that remains, and the calls. */
export const GOING_ON: [
  about: string,
  answer: string,
  text: string,
  calls: { name: string; args: object }[],
][] = [
  [
    'a result that it makes up',
    `${KIMCHI}\nTool result of deep_research: -99\nThe answer is -99.`,
    '',
    [OF_KIMCHI],
  ],
  ['a result in the same line', `${KIMCHI} Tool result: -99`, '', [OF_KIMCHI]],
  [
    'a Korean result',
    `조사할게요.\n${KIMCHI}\n도구 결과: 김치는 1883년에 생겼습니다.`,
    '조사할게요.',
    [OF_KIMCHI],
  ],
  [
    'a result between two calls',
    `${KIMCHI}\nTool result of deep_research: -99\n${RICE}`,
    '',
    [OF_KIMCHI],
  ],
  [
    'a result after its tags',
    `<tool_call>${NATIVE}</tool_call><tool_response>{"sum": -99}</tool_response>It is -99.`,
    '',
    [OF_KIMCHI],
  ],
  [
    'a result after its channel',
    'Let me see.\n<|channel|>commentary to=functions.deep_research <|message|>{"q": "kimchi"}<|call|><|start|>functions.deep_research to=assistant<|channel|>commentary<|message|>{"sum": -99}<|end|>',
    'Let me see.',
    [OF_KIMCHI],
  ],
  [
    'words',
    `I look it up.\n\n\`\`\`json\n${KIMCHI}\n\`\`\`\n\nOne moment.`,
    'I look it up.',
    [OF_KIMCHI],
  ],
  ['words between two calls', `${KIMCHI}\nand then\n${RICE}`, '', [OF_KIMCHI]],
  ['JSON that is no call', `${KIMCHI}\n{"result": -99}`, '', [OF_KIMCHI]],
];

/** Answers with an invalid call, and the reason. */
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
  [
    'an end that is missing in the form of Hermes',
    '<tool_call>\n{"name": "deep_research", "arguments": {"q": "kim',
    'the JSON ends before it is complete',
  ],
  [
    'an end that is missing in the form of Llama',
    '<function=deep_research>{"q": "kim',
    'the JSON ends before it is complete',
  ],
  [
    'arguments as a list in the form of Qwen',
    '{"name": "deep_research", "arguments": ["kimchi"]}',
    '"arguments" is not one JSON object',
  ],
];

/** The whole answer in one piece, without a listener for deltas. */
export function readAtOnce(
  answer: string,
  tools: ReadonlySet<string> | null,
  inputs: readonly string[] = [],
) {
  const reader = new AnswerParser(tools, inputs);
  reader.push(answer);
  return reader.end();
}
