import { urlsIn } from '../guardrails/bare.urls';
import type { ModelAnswer } from '../llm/model.answer';
import type { Message } from '../message/message';
import type { CalledTool } from './called.tool';

/** Every URL that a model can have from the conversation, its tools or its own searches, rather than from nowhere. */
export function consultedIn(
  input: readonly Message[],
  made: readonly CalledTool[],
  { sources }: ModelAnswer,
): string[] {
  return [
    ...urlsIn(input),
    ...made.flatMap(({ output }) => [...urlsIn(output)]),
    ...made.flatMap(({ consulted }) => consulted ?? []),
    ...(sources ?? []).map(({ url }) => url),
  ];
}
