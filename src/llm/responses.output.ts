import type {
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { Message } from '../message/message';
import { assistantMessage, entriesIn, textsIn } from './assistant.message';

/**
 * The turn of a model: its answer, refusals too, as texts; its calls; and as `thinking` the summaries of its reasoning
 * and what it said in between. That is its answer only if it said and called nothing else. Items of hosted tools are
 * left out. Never throws, whatever a gateway made of the items.
 */
export function fromOutputItems(
  items: readonly ResponseOutputItem[] | null | undefined,
): Message {
  const output = entriesIn(items);
  const messages = output.filter((item) => item.type === 'message');
  const called = output.filter((item) => item.type === 'function_call');
  const final = messages.filter(({ phase }) => phase !== 'commentary');
  const said = final.length + called.length > 0 ? final : messages;
  return assistantMessage({
    id: said[0]?.id,
    texts: said.flatMap(({ content }) => textsIn(content)),
    thinking: output.flatMap((item) => {
      if (item.type === 'reasoning') return thoughtsIn(item);
      return isAside(item, said) ? textsIn(item.content) : [];
    }),
    calls: called.map(({ call_id, id, name, arguments: args }) => ({
      id: call_id || id,
      name,
      arguments: args,
    })),
  });
}

function isAside(
  item: ResponseOutputItem,
  said: readonly ResponseOutputMessage[],
): item is ResponseOutputMessage {
  return item.type === 'message' && !said.includes(item);
}

/** Bridges to other models put the reasoning itself where its summary belongs. */
function thoughtsIn({ summary, content }: ResponseReasoningItem): string[] {
  const summaries = textsIn(summary);
  return summaries.length > 0 ? summaries : textsIn(content);
}
