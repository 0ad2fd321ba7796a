import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ResearchArguments } from '../../arguments/research-arguments';
import { researchPrompt } from '../research.prompt';

/** The body of the one request that purchases a run over Chat Completions. The run ends with its connection. */
export function buildCompletionRequest(
  model: string,
  args: ResearchArguments,
): ChatCompletionCreateParamsStreaming {
  const { system_prompt, text_format } = args;
  return {
    model,
    messages: [
      ...(system_prompt
        ? [{ role: 'system' as const, content: system_prompt }]
        : []),
      { role: 'user', content: researchPrompt(args) },
    ],
    web_search_options: {},
    ...(text_format && { response_format: formatOf(text_format) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function formatOf(
  format: NonNullable<ResearchArguments['text_format']>,
): ChatCompletionCreateParamsStreaming['response_format'] {
  if (format.type !== 'json_schema') return { type: format.type };
  const { type, name, schema, strict } = format;
  return { type, json_schema: { name, schema, strict } };
}
