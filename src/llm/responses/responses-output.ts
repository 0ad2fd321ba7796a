import type {
  Response,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import { AppError } from '../../platform/errors';
import { type Citation, codePoints } from '../../platform/message/citation';
import type { ImagePart, Message } from '../../platform/message/message';
import type { FunctionCall } from '../turns/model.types';
import { assistantMessage, contentOf } from '../turns/assistant-message';
import {
  argumentsIn,
  entriesIn,
  labelIn,
  textsIn,
} from '../upstream/reply-fields';
import type { TurnOutput } from '../turns/turn-loop';
import { failureCode } from '../upstream/upstream-cause';
import { citationsIn, sourcesIn } from './responses-citations';

/** @throws AppError if the response reports that the model failed. */
export function readCalls(response: Response): FunctionCall[] {
  const { status } = response;
  if (status === 'failed') throw new AppError(failureCode(response.error));
  if (status === 'cancelled') throw new AppError('upstream_cancelled');
  return (response.output ?? []).flatMap((item) => {
    if (item.type !== 'function_call') return [];
    return {
      callId: item.call_id ?? item.id ?? '',
      name: item.name,
      arguments: argumentsIn(item.arguments),
    };
  });
}

/** The content of a response besides its calls, with the citations and sources of its text. */
export function readContent({
  output,
  incomplete_details,
}: Response): ReturnType<TurnOutput['content']> {
  const citations: Citation[] = [];
  let before = 0;
  for (const { content } of answersIn(output)) {
    const parts: unknown[] = Array.isArray(content) ? content : [content];
    for (const part of parts) {
      const text = textsIn(part).join('');
      citations.push(...citationsIn(Object(part), text, before));
      before += codePoints(text);
    }
  }
  const sources = sourcesIn(output, citations);
  const truncated = incomplete_details?.reason === 'max_output_tokens';
  const filtered = incomplete_details?.reason === 'content_filter';
  const content = contentOf(fromOutputItems(output));
  return { ...content, truncated, filtered, citations, sources };
}

/**
 * The turn of a model: its answer, refusals included, as texts; its calls; and as `thinking` the summaries of its reasoning
 * and its commentary. Commentary is the answer only if there is no other text and no call. The images of hosted tools are
 * kept at their position. Never throws, whatever a gateway made of the items.
 */
export function fromOutputItems(
  items: readonly ResponseOutputItem[] | null | undefined,
): Message {
  const output = entriesIn(items);
  const calls = output.filter((item) => item.type === 'function_call');
  const answers = answersIn(items);
  return assistantMessage({
    id: answers[0]?.id,
    parts: output.flatMap((item): (string | ImagePart)[] => {
      if (item.type === 'message' && answers.includes(item))
        return textsIn(item.content);
      const image = imageIn(item);
      return image ? [image] : [];
    }),
    thinking: output.flatMap((item) => {
      if (item.type === 'reasoning') return reasoningIn(item);
      return isCommentary(item, answers) ? textsIn(item.content) : [];
    }),
    calls: calls.map(({ call_id, id, name, arguments: args }) => ({
      id: call_id || id,
      name,
      arguments: args,
    })),
  });
}

/** The messages that form the answer. */
export function answersIn(
  items: readonly ResponseOutputItem[] | null | undefined,
): ResponseOutputMessage[] {
  const output = entriesIn(items);
  const messages = output.filter((item) => item.type === 'message');
  const final = messages.filter(({ phase }) => phase !== 'commentary');
  const calls = output.some(({ type }) => type === 'function_call');
  return final.length > 0 || calls ? final : messages;
}

/** The image of an item; undefined if it has none. */
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

function isCommentary(
  item: ResponseOutputItem,
  answers: readonly ResponseOutputMessage[],
): item is ResponseOutputMessage {
  return item.type === 'message' && !answers.includes(item);
}

/** Bridges to other models put the reasoning itself in the place of its summary. */
function reasoningIn({ summary, content }: ResponseReasoningItem): string[] {
  const summaries = textsIn(summary);
  return summaries.length > 0 ? summaries : textsIn(content);
}
