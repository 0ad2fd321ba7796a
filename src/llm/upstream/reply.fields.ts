import { isObject } from '../../message/call.arguments';

/** Gateways name and nest the parts of a content in their own ways; what a part holds is what counts. */
export function textsIn(content: unknown): string[] {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.map(textIn).filter((text) => text !== '');
}

function textIn(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isObject(part)) return '';
  const said = part.text ?? part.refusal;
  return typeof said === 'string' ? said : '';
}

/** The entries of a list as far as they can be read. */
export function entriesIn<T extends object>(
  list: readonly T[] | null | undefined,
): T[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly T[]).filter((entry) => isObject(entry));
}

/** A name or an id; an empty one is none. */
export function labelIn(label: unknown): string | undefined {
  return typeof label === 'string' && label !== '' ? label : undefined;
}

/** The JSON of arguments, also where a gateway sends the value itself. */
export function argumentsIn(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args ?? {});
}
