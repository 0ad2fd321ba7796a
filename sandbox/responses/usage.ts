import type {
  ResponseInputItem,
  ResponseOutputItem,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { Ask } from '../writer/request/ask';

const TOKENS_PER_THOUGHT = 64;

/** A rough but stable count: one token per Hangul syllable, one per four other characters. */
export function countTokens(text: string): number {
  const hangul = text.match(/[\u3131-\u318e\uac00-\ud7a3]/g)?.length ?? 0;
  return hangul + Math.ceil((text.length - hangul) / 4);
}

/** `thought`: the tokens of a model that shows what it thinks. */
export function usageOf(
  { instructions, items, toolTokens = 0 }: Ask,
  output: ResponseOutputItem[],
  thought: number,
): ResponseUsage {
  const input_tokens =
    countTokens(instructions) + toolTokens + countTokens(textIn(items));
  const summaries = output.filter(
    (item) => item.type === 'reasoning' && !item.content,
  ).length;
  const reasoning_tokens = summaries * TOKENS_PER_THOUGHT + thought;
  const output_tokens = countTokens(textIn(output)) + reasoning_tokens;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens: input_tokens + output_tokens,
  };
}

function textIn(items: (ResponseInputItem | ResponseOutputItem)[]): string {
  return items
    .map((item) => {
      if (item.type === 'function_call') return item.name + item.arguments;
      if (item.type === 'function_call_output')
        return JSON.stringify(item.output);
      if (item.type === 'reasoning') return '';
      return 'content' in item ? JSON.stringify(item.content) : '';
    })
    .join('\n');
}
