/** A part of an answer: JSON that stands by itself, what the model thought, or anything else. */
export interface Section {
  kind: 'text' | 'json' | 'thinking';
  text: string;
  /** Of JSON: whether its last bracket is there. */
  closed?: boolean;
}

/** `{"`, `{tool_name`, `[{`: what may begin JSON. Brackets of prose, links and formulas do not. */
const BEGINS =
  /<think>|<\/think>|\{(?=\s*(?:["'“‘`]|tool_name|arguments))|\[(?=\s*\{)/g;
const THINK_END = '</think>';

/** Splits an answer once from its begin to its end: what is inside JSON or thinking begins nothing. */
export function sectionsOf(answer: string): Section[] {
  const sections: Section[] = [];
  let from = 0;
  const begins = new RegExp(BEGINS);
  const take = (kind: Section['kind'], to: number, closed?: boolean): void => {
    if (to > from) {
      sections.push({ kind, text: answer.slice(from, to), closed });
    }
    from = begins.lastIndex = to;
  };
  for (;;) {
    const begin = begins.exec(answer);
    if (!begin) break;
    const [mark] = begin;
    if (mark === THINK_END) {
      // Its begin was in the prompt: all that came before was thought.
      take('text', begin.index + mark.length);
      sections.forEach((section) => (section.kind = 'thinking'));
      continue;
    }
    take('text', begin.index);
    if (mark === '<think>') {
      const end = answer.indexOf(THINK_END, from);
      take('thinking', end < 0 ? answer.length : end + THINK_END.length);
    } else {
      const end = closingBracket(answer, from);
      take('json', end ?? answer.length, end !== undefined);
    }
  }
  take('text', answer.length);
  return sections;
}

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
