const CLOSING: Record<string, string> = { '{': '}', '[': ']', '(': ')' };
/** After these characters a single quote opens a string; elsewhere it is an apostrophe. */
const BEFORE_QUOTE = { json: /[{[,:]/, python: /[({[,:=]|^$/ };

/** The index after the bracket that closes the first one from `from` on. Parentheses count only in Python. */
export function closingBracket(
  text: string,
  from: number,
  language: 'json' | 'python' = 'json',
): number | undefined {
  const open: string[] = [];
  let before = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char in CLOSING && (char !== '(' || language === 'python')) {
      open.push(CLOSING[char]);
    } else if (open.length > 0 && char === open.at(-1)) {
      open.pop();
      if (open.length === 0) return at + 1;
    } else if (
      char === '"' ||
      (char === "'" && BEFORE_QUOTE[language].test(before))
    ) {
      const end = closingQuote(text, at, language);
      if (end === undefined) return undefined;
      at = end;
      if (open.length === 0) return at + 1;
    }
    if (!/\s/.test(char)) before = char;
  }
  return undefined;
}

/**
 * In JSON, an apostrophe does not close a string in single quotes: the closing quote stands before a comma, colon or
 * bracket.
 */
function closingQuote(
  text: string,
  from: number,
  language: 'json' | 'python',
): number | undefined {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] !== quote) continue;
    else if (language === 'python' || quote === '"' || isBoundary(text, at + 1))
      return at;
  }
  return undefined;
}

function isBoundary(text: string, at: number): boolean {
  const boundary = /\s*(?:[,:}\]]|$)/y;
  boundary.lastIndex = at;
  return boundary.test(text);
}
