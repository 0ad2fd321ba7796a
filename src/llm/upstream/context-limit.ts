import { isObject } from '../../platform/message/call-arguments';

/** Beyond these, a number is no context of a model. */
const LEAST = 256;
const MOST = 100_000_000;

/** How servers name the tokens that a prompt and its answer may have together. */
const NAMED = [
  // llama.cpp, also quoted by a proxy.
  /"n_ctx\\?"\s*:\s*(\d+)/,
  // vLLM, OpenAI, LM Studio, SGLang: `maximum context length is 8192 tokens`, `context size (4096 tokens)`.
  /(?:context (?:length|size|window|limit)|maximum model length|max_model_len)\)?(?: is| of)?(?: only)?[\s:=(]*(\d[\d,]*)/i,
  // `too large for model with 32768 maximum context length`, `(4096) maximum context`.
  /(\d[\d,]*)\)? max(?:imum)? context/i,
  // `210000 tokens > 200000 maximum`, `exceeds the maximum number of tokens allowed (1048576)`.
  /tokens > (\d[\d,]*) maximum/i,
  /maximum number of (?:input )?tokens allowed \((\d[\d,]*)\)/i,
];

/** The context of a model in tokens, as a refusal of its endpoint names it; undefined if it names none. */
export function contextLimitIn(
  error: Record<string, unknown> | undefined,
  body: string,
): number | undefined {
  const reported = isObject(error) ? error.n_ctx : undefined;
  const named = NAMED.map((words) => words.exec(body)?.[1]).find(Boolean);
  const tokens = Number(reported ?? named?.replaceAll(',', ''));
  return Number.isInteger(tokens) && tokens >= LEAST && tokens <= MOST
    ? tokens
    : undefined;
}
