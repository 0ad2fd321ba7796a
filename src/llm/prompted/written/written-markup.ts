import type { OfferedTools } from './offered-tools';
import { jsonCalls, type OfferedCall } from './written-json';

/** An element: its tag, the values of its attributes, the text in it outside other elements, and those. */
interface Element {
  tag: string;
  values: string[];
  text: string;
  children: Element[];
}

const MAX_DEPTH = 6;
const MAX_ELEMENTS = 200;
/** A tag with or without attributes; `<function=x>` has its value alone. */
const TAG = /<(\/?)([\w:.|｜▁-]+)((?:\s*=\s*[^<>]*|\s[^<>]*)?)>/g;
const VALUE = /=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/**
 * The calls that a text in markup is: an element with the name of an offered tool as tag, attribute or content, and its
 * arguments in elements or as JSON. Null if there is anything else.
 */
export function markupCalls(
  text: string,
  tools: OfferedTools,
): OfferedCall[] | null {
  const root = parse(text);
  return root && callsOf(root, tools);
}

function parse(text: string): Element | null {
  const root = element('');
  const open = [root];
  let at = 0;
  let count = 0;
  let isOpen = true;
  for (const found of text.matchAll(TAG)) {
    const [written, slash, tag, attributes] = found;
    const inner = open.at(-1)!;
    inner.text += text.slice(at, found.index);
    at = found.index + written.length;
    isOpen = !slash && !attributes.endsWith('/');
    if (slash) {
      // Models close with another tag than they opened, or not at all.
      const opened = open.findLastIndex((one) => one.tag === tag);
      if (opened > 0) open.length = opened;
      continue;
    }
    count += 1;
    if (count > MAX_ELEMENTS || open.length > MAX_DEPTH) return null;
    const values = [...attributes.matchAll(VALUE)].map(
      ([, ...value]) => value.find((one) => one !== undefined) ?? '',
    );
    const child = { ...element(tag), values };
    inner.children.push(child);
    if (isOpen) open.push(child);
  }
  // What was cut off would be a call with incomplete arguments.
  return count > 0 && !isOpen && text.slice(at).trim() === '' ? root : null;
}

function element(tag: string): Element {
  return { tag, values: [], text: '', children: [] };
}

function callsOf(node: Element, tools: OfferedTools): OfferedCall[] | null {
  const call = callOf(node, tools);
  if (call) return [call];
  const { children } = node;
  if (node.text.trim() !== '' || children.length === 0)
    return children.length === 0 ? jsonIn(node.text, tools) : null;
  const calls = children.map((child) => callsOf(child, tools));
  return calls.every((one) => one !== null) ? calls.flat() : null;
}

function callOf(node: Element, tools: OfferedTools): OfferedCall | null {
  const { tag, values, children } = node;
  const own = [tag, ...values].flatMap((one) => tools.named(one) ?? [])[0];
  if (own !== undefined) return withArguments(own, node, tools);
  const [line] = node.text.trim().split('\n');
  const leading = tools.named(line);
  if (leading !== undefined) {
    const text = node.text.trim().slice(line.length);
    return withArguments(leading, { ...node, text }, tools);
  }
  const at = children.findIndex(
    (child) => child.children.length === 0 && tools.named(child.text),
  );
  if (at < 0) return null;
  const others = children.toSpliced(at, 1);
  const name = tools.named(children[at].text)!;
  return withArguments(name, { ...node, children: others }, tools);
}

function withArguments(
  name: string,
  { text, children }: Element,
  tools: OfferedTools,
): OfferedCall | null {
  const call = (args: unknown): OfferedCall | null => {
    const fitting = tools.fit(name, args);
    return fitting && { name, arguments: fitting };
  };
  if (children.length === 0) return call(text.trim() || {});
  if (text.trim() !== '') return null;
  const [only] = children;
  return (
    call(pairs(children)) ??
    call(Object.fromEntries(children.map(valueOf))) ??
    (children.length === 1 ? withArguments(name, only, tools) : null)
  );
}

/** The key is an attribute, or the tag. */
function valueOf({ tag, values, text }: Element): [string, string] {
  return [values[0] ?? tag, text.trim()];
}

/** Elements of two tags in turn: a key, its value. */
function pairs(children: readonly Element[]): object | null {
  const keys = children.filter((_, at) => at % 2 === 0);
  const values = children.filter((_, at) => at % 2 === 1);
  const isOne = (of: Element[]) => new Set(of.map(({ tag }) => tag)).size === 1;
  const arePairs =
    keys.length === values.length &&
    isOne(keys) &&
    isOne(values) &&
    keys[0].tag !== values[0].tag &&
    keys[0].values.length === 0;
  if (!arePairs) return null;
  return Object.fromEntries(
    keys.map(({ text }, at) => [text.trim(), values[at].text.trim()]),
  );
}

function jsonIn(text: string, tools: OfferedTools): OfferedCall[] | null {
  try {
    return jsonCalls(JSON.parse(text), tools);
  } catch {
    return null;
  }
}
