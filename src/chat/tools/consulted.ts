import { urlsIn } from '../../guardrails/citations/bare.urls';
import type { CompletedToolCall } from './tool-call';

/** Every URL that a model can have from calls, rather than from nowhere. */
export function consultedBy(made: readonly CompletedToolCall[]): string[] {
  return made.flatMap(({ output, consulted = [] }) => [
    ...urlsIn(output),
    ...consulted,
  ]);
}
