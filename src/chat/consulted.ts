import { urlsIn } from '../guardrails/bare.urls';
import type { CalledTool } from './called.tool';

/** Every URL that a model can have from calls, rather than from nowhere. */
export function consultedBy(made: readonly CalledTool[]): string[] {
  return made.flatMap(({ output, consulted = [] }) => [
    ...urlsIn(output),
    ...consulted,
  ]);
}
