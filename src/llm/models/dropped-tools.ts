import type { Message } from '../../platform/message/message';
import { textOf } from '../../platform/message/part-text';
import type { ToolDescription } from '../../platform/message/tool-description';
import { countTokens } from '../tokens/count-tokens';

/** Of fewer tokens a chat template says more than the tools. */
const MIN_TOKENS = 100;
/** What a chat template alone has: an endpoint that reports fewer does not count. */
const TEMPLATE = 8;
/** The part of its estimate that a description has at least, in whatever form a template writes it. */
const LEAST = 1 / 3;
/** Longer texts are not counted. */
const MAX_CHARS = 200_000;
const PLAIN = { cjk: 1, other: 1 };

/**
 * Whether a model cannot have seen the tools of a request: its whole prompt has fewer tokens than they alone. Less than the
 * messages have proves nothing: then the endpoint does not count what it had cached.
 * @param inputTokens as the endpoint reports them; 0 if it does not.
 */
export function dropsTools(
  {
    tools,
    input,
  }: { tools: readonly ToolDescription[]; input: readonly Message[] },
  inputTokens = 0,
): boolean {
  if (tools.length === 0 || inputTokens < TEMPLATE) return false;
  const shown = JSON.stringify(
    tools.map(({ name, description, parameters }) => [
      name,
      description,
      parameters,
    ]),
  );
  const words = input.map(({ contents }) => textOf(contents)).join('\n');
  if (shown.length + words.length > MAX_CHARS) return false;
  const least = LEAST * countTokens(shown, PLAIN);
  return (
    least >= LEAST * MIN_TOKENS &&
    inputTokens < least &&
    inputTokens >= LEAST * countTokens(words, PLAIN)
  );
}
