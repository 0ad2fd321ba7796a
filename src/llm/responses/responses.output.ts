import type {
  Response,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import { AppError } from '../../errors';
import { type Citation, codePoints } from '../../message/citation';
import type { ImagePart, Message } from '../../message/message';
import type { FunctionCall } from '../model.types';
import { assistantMessage, saidIn } from '../turns/assistant.message';
import {
  argumentsIn,
  entriesIn,
  labelIn,
  textsIn,
} from '../upstream/reply.fields';
import type { SaidTurn } from '../turns/turn-loop';
import { failureCode } from '../upstream/upstream.cause';
import { citationsIn, sourcesIn } from './responses.citations';

/** @throws AppError if the model says itself that it could not finish. */
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

/** What the model said besides, and what that rests on. */
export function readSaid({ output }: Response): ReturnType<SaidTurn['said']> {
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
  return { ...saidIn(fromOutputItems(output)), citations, sources };
}

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
