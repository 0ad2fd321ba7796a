import type {
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { ImagePart, Message } from '../../message/message';
import {
  assistantMessage,
  entriesIn,
  labelIn,
  textsIn,
} from '../turns/assistant.message';

/**
 * The turn of a model: its answer, refusals too, as texts; its calls; and as `thinking` the summaries of its reasoning
 * and what it said in between. That is its answer only if it said and called nothing else. Of what hosted tools did, the
 * images are kept, at their place. Never throws, whatever a gateway made of the items.
 */
export function fromOutputItems(
  items: readonly ResponseOutputItem[] | null | undefined,
): Message {
  const output = entriesIn(items);
  const called = output.filter((item) => item.type === 'function_call');
  const said = answersIn(items);
  return assistantMessage({
    id: said[0]?.id,
    parts: output.flatMap((item): (string | ImagePart)[] => {
      if (item.type === 'message' && said.includes(item))
        return textsIn(item.content);
      const image = imageIn(item);
      return image ? [image] : [];
    }),
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

/** The messages that are the answer. */
export function answersIn(
  items: readonly ResponseOutputItem[] | null | undefined,
): ResponseOutputMessage[] {
  const output = entriesIn(items);
  const messages = output.filter((item) => item.type === 'message');
  const final = messages.filter(({ phase }) => phase !== 'commentary');
  const calls = output.some(({ type }) => type === 'function_call');
  return final.length > 0 || calls ? final : messages;
}

/** The image that the item made, if it made one. */
export function imageIn(item: ResponseOutputItem): ImagePart | undefined {
  if (item?.type !== 'image_generation_call') return undefined;
  const { result, output_format } = item as {
    result?: unknown;
    output_format?: unknown;
  };
  const data = labelIn(result);
  const format = labelIn(output_format) ?? 'png';
  return data === undefined
    ? undefined
    : { type: 'image', image: { data, mime_type: `image/${format}` } };
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
