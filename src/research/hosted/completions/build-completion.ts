import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { reasons } from '../../../llm/models/model-profile';
import { completionsLimit } from '../../../llm/turns/sampling';
import type { ResearchArguments } from '../../arguments/research-arguments';
import type { CreateRequest } from '../research-protocol';
import { researchPrompt } from '../research.prompt';

/** The body of the one request that purchases a run over Chat Completions. The run ends with its connection. */
export function buildCompletionRequest({
  model,
  args,
  profile,
  hosted,
  maxTokens,
}: CreateRequest): ChatCompletionCreateParamsStreaming {
  const searches = profile.completions || hosted.tools.some(isWebSearch);
  const { system_prompt, text_format } = args;
  return {
    model,
    messages: [
      ...(system_prompt
        ? [{ role: 'system' as const, content: system_prompt }]
        : []),
      { role: 'user', content: researchPrompt(args) },
    ],
    ...(searches && { web_search_options: {} }),
    ...(maxTokens !== undefined &&
      completionsLimit(maxTokens, reasons(profile))),
    ...(text_format && { response_format: formatOf(text_format) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

const isWebSearch = ({ type }: { type: string }): boolean =>
  type.startsWith('web_search');

function formatOf(
  format: NonNullable<ResearchArguments['text_format']>,
): ChatCompletionCreateParamsStreaming['response_format'] {
  if (format.type !== 'json_schema') return { type: format.type };
  const { type, name, schema, strict } = format;
  return { type, json_schema: { name, schema, strict } };
}
