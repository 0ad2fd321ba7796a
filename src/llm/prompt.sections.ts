/**
 * A part of an answer: JSON that stands by itself, what the model thought, or anything else. `thought`: all before it was
 * thinking, because that began in the prompt; it has no text.
 */
export interface Section {
  kind: 'text' | 'json' | 'thinking' | 'thought';
  text: string;
  /** Of JSON: whether its last bracket is there. */
  closed?: boolean;
}

/** `{"`, `{tool_name`, `[{`: what may begin JSON. Brackets of prose, links and formulas do not. */
const BEGINS =
  /<think>|<\/think>|\{(?=\s*(?:["'“‘`]|tool_name|arguments))|\[(?=\s*\{)/;
const THINK = '<think>';
const THINK_END = '</think>';

type Place = 'text' | 'json' | 'thinking';

/** What to take next: up to `end`, leaving out the mark after it. Without `inside`, more has to come first. */
interface Step {
  end: number;
  mark?: string;
  inside?: Place;
}

/**
 * Splits an answer once from its begin to its end, as it comes: what is inside JSON or thinking begins nothing. What may
 * be the begin of something, and JSON that has no end yet, is kept back. Text and thinking come in pieces, JSON whole.
 */
export class Sections {
  private rest = '';
  private inside: Place = 'text';

  push(chunk: string): Section[] {
    this.rest += chunk;
    // Only a bracket can end it, and to look for its end takes as long as the JSON is.
    if (this.inside === 'json' && !/[}\]]/.test(chunk)) return [];
    const sections: Section[] = [];
    for (;;) {
      const { end, mark = '', inside } = this.next();
      const [kind, text] = [this.inside, this.rest.slice(0, end)];
      if (kind === 'json' && text) sections.push({ kind, text, closed: true });
      else if (text) sections.push({ kind, text });
      this.rest = this.rest.slice(end + mark.length);
      if (!inside) return sections;
      if (kind === 'text' && mark === THINK_END) {
        sections.push({ kind: 'thought', text: '' });
      }
      this.inside = inside;
    }
  }

  /** What was kept back, at the end of the answer. */
  end(): Section[] {
    const { rest: text, inside: kind } = this;
    this.rest = '';
    if (text === '') return [];
    return [kind === 'json' ? { kind, text, closed: false } : { kind, text }];
  }

  private next(): Step {
    const { rest } = this;
    if (this.inside === 'json') {
      const end = closingBracket(rest, 0);
      return end === undefined ? { end: 0 } : { end, inside: 'text' };
    }
    if (this.inside === 'thinking') {
      const end = rest.indexOf(THINK_END);
      return end < 0
        ? { end: endOfSafe(rest) }
        : { end, mark: THINK_END, inside: 'text' };
    }
    const begin = BEGINS.exec(rest);
    if (!begin) return { end: endOfSafe(rest) };
    const [mark] = begin;
    const end = begin.index;
    if (mark === THINK_END) return { end, mark, inside: 'text' };
    return mark === THINK
      ? { end, mark, inside: 'thinking' }
      : { end, inside: 'json' };
  }
}

/** Up to where nothing can become a mark, whatever follows. No mark holds the first character of another. */
function endOfSafe(text: string): number {
  const at = Math.max(...['<', '{', '['].map((mark) => text.lastIndexOf(mark)));
  if (at < 0) return text.length;
  const [mark, begun] = [text[at], text.slice(at)];
  const name = begun.slice(1).trimStart();
  const mayBegin =
    mark === '<'
      ? THINK.startsWith(begun) || THINK_END.startsWith(begun)
      : name === '' ||
        (mark === '{' && NAMES.some((one) => one.startsWith(name)));
  return mayBegin ? at : text.length;
}

const NAMES = ['tool_name', 'arguments'];

const CLOSING: Record<string, string> = { '{': '}', '[': ']' };

/** The index after the bracket that closes the one at `from`. */
function closingBracket(text: string, from: number): number | undefined {
  const open: string[] = [];
  let before = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char in CLOSING) open.push(CLOSING[char]);
    else if (char === open.at(-1)) open.pop();
    else if (char === '"' || (char === "'" && /[{[,:]/.test(before))) {
      const end = closingQuote(text, at);
      if (end === undefined) return undefined;
      at = end;
    }
    if (open.length === 0) return at + 1;
    if (!/\s/.test(char)) before = char;
  }
  return undefined;
}

/** Of a string in single quotes, an apostrophe does not end it: what ends it stands before a comma, colon or bracket. */
function closingQuote(text: string, from: number): number | undefined {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] !== quote) continue;
    else if (quote === '"' || isBoundary(text, at + 1)) return at;
  }
  return undefined;
}

function isBoundary(text: string, at: number): boolean {
  const boundary = /\s*(?:[,:}\]]|$)/y;
  boundary.lastIndex = at;
  return boundary.test(text);
}
