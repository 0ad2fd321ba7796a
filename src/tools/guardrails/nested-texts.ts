import { isObject } from '../../platform/message/call-arguments';

type Change = (text: string) => string;

/** Fields of messages and parts that hold identifiers or bytes instead of text. */
const LABELS = new Set([
  'role',
  'type',
  'id',
  'tool_call_id',
  'call_id',
  'tool_name',
  'name',
  'mime_type',
  'data',
]);
/** Fields that hold arbitrary JSON, in which no field name has a special meaning. */
const ANY_JSON = new Set(['value', 'arguments']);

/** The value with every string mapped, at any depth; the same value if none changed. Keys of objects stay. */
export function withTexts<T>(value: T, change: Change): T {
  return changed(value, change, () => false) as T;
}

/** Like `withTexts` for messages and parts, except for their labels and the bytes of images. */
export function withMessageTexts<T>(value: T, change: Change): T {
  return changed(value, change, (key, item) => {
    return LABELS.has(key) || (key === 'url' && isBytes(item));
  }) as T;
}

/** The distinct strings of a message, part or request. */
export function textsOf(
  value: unknown,
  inAll: typeof withTexts = withTexts,
): string[] {
  const texts = new Set<string>();
  inAll(value, (text) => {
    texts.add(text);
    return text;
  });
  return [...texts];
}

type IsLabel = (key: string, item: unknown) => boolean;

function changed(value: unknown, change: Change, isLabel: IsLabel): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => changed(item, change, isLabel));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] =>
    isLabel(key, item)
      ? [key, item]
      : [
          key,
          ANY_JSON.has(key)
            ? withTexts(item, change)
            : changed(item, change, isLabel),
        ],
  );
  return entries.every(([key, item]) => item === value[key])
    ? value
    : Object.fromEntries(entries);
}

function isBytes(url: unknown): boolean {
  return typeof url === 'string' && /^data:image\//i.test(url);
}
