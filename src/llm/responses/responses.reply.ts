import type { Response } from 'openai/resources/responses/responses';
import { AppError } from '../../errors';
import { type Citation, codePoints } from '../../message/citation';
import { argumentsIn, saidIn, textsIn } from '../turns/assistant.message';
import type { SaidTurn } from '../turns/conversation';
import type { FunctionCall } from '../model.types';
import { failureCode } from '../upstream/upstream.cause';
import { citationsIn, sourcesIn } from './responses.citations';
import { answersIn, fromOutputItems } from './responses.output';

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
