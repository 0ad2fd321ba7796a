import { isObject } from '../../message/call.arguments';

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

/** A name or an id; undefined if it is empty or not a string. */
export function labelIn(label: unknown): string | undefined {
  return typeof label === 'string' && label !== '' ? label : undefined;
}

/** The JSON text of arguments, also if a gateway sends the value itself. */
export function argumentsIn(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args ?? {});
}
