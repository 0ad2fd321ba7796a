import { countIn, isAmount } from '../prices/amount';
import type { Tokens } from '../prices/price-table';
import { isObject } from '../../platform/message/call-arguments';

const COST_HEADER = 'x-litellm-response-cost';

/** The texts of a content. Gateways name and nest its parts in different ways, so any part that holds a text counts. */
export function textsIn(content: unknown): string[] {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.map(textIn).filter((text) => text !== '');
}

function textIn(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isObject(part)) return '';
  const text = part.text ?? part.refusal;
  return typeof text === 'string' ? text : '';
}

/** The entries of a list that are objects; none if it is not a list. */
export function entriesIn<T extends object>(
  list: readonly T[] | null | undefined,
): T[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly T[]).filter((entry) => isObject(entry));
}

/** What a call cost in US dollars, as some gateways report it beside its tokens. */
export function costIn(usage: unknown): number | undefined {
  const { cost } = isObject(usage) ? usage : {};
  const dollars = isObject(cost) ? cost.total_cost : cost;
  return isAmount(dollars) ? dollars : undefined;
}

/** What a call cost in US dollars, as a LiteLLM proxy reports it in a header. */
export function costInHeader(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): number | undefined {
  const header = headers[COST_HEADER];
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const dollars = Number(header);
  return isAmount(dollars) ? dollars : undefined;
}

/** The tokens that either protocol reports; undefined unless both are counts. */
export function tokensIn(usage: unknown): Tokens | undefined {
  if (!isObject(usage)) return undefined;
  const input_tokens = countIn(usage.input_tokens ?? usage.prompt_tokens);
  const output_tokens = countIn(usage.output_tokens ?? usage.completion_tokens);
  return input_tokens !== undefined && output_tokens !== undefined
    ? { input_tokens, output_tokens }
    : undefined;
}

/** A name or an id; undefined if it is empty or not a string. */
export function labelIn(label: unknown): string | undefined {
  return typeof label === 'string' && label !== '' ? label : undefined;
}

/** The JSON text of arguments, also if a gateway sends the value itself. */
export function argumentsIn(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args ?? {});
}
