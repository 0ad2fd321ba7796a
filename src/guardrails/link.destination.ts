/** As in CommonMark. Also keeps a text of brackets alone from being read over and over. */
const MOST_BRACKETS = 32;
const OPENING = /\(\s*/y;
const IN_ANGLES = /<([^<>\n]*)>/y;
const CLOSING = /(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/y;

/** A relative address leads back here, whichever of the two the text is read at. */
const HERE = ['https://here.invalid', 'http://here.invalid'];
/** Not of pages. */
const NOT_CITED = new Set(['mailto:', 'tel:', 'sms:']);
/** Those by which an address could look like none. */
const ENTITIES: Record<string, string> = {
  amp: '&',
  colon: ':',
  sol: '/',
  bsol: '\\',
  period: '.',
  tab: '',
  newline: '',
};

/** `(https://a.example "Title")` at a place of the text; undefined if it is something else. */
export function inlineDestination(
  text: string,
  start: number,
): { destination: string; destinationEnd: number; end: number } | undefined {
  const opened = matchAt(OPENING, text, start);
  if (!opened) return undefined;
  const from = start + opened[0].length;
  const angles = matchAt(IN_ANGLES, text, from);
  const destinationEnd = angles
    ? from + angles[0].length
    : endOfDestination(text, from);
  if (destinationEnd === undefined) return undefined;
  const closed = matchAt(CLOSING, text, destinationEnd);
  if (!closed) return undefined;
  return {
    destination: angles ? angles[1] : text.slice(from, destinationEnd),
    destinationEnd,
    end: destinationEnd + closed[0].length,
  };
}

/** The address that a link leads to; undefined if it stays within the text, or leads to no page. */
export function addressOf(destination: string): string | undefined {
  const written = destination
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(
      /&#(x[\da-f]{1,6}|\d{1,7});/gi,
      (entity, code: string) =>
        characterOf(code.replace(/^x/i, '0x')) ?? entity,
    )
    .replace(
      /&(\w+);/g,
      (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity,
    );
  if (/^www\./i.test(written)) return written;
  for (const here of HERE) {
    if (!URL.canParse(written, here)) return written;
    const { origin, protocol, href } = new URL(written, here);
    if (NOT_CITED.has(protocol)) return undefined;
    if (origin !== here) return href;
  }
  return undefined;
}

/** Before white space, or the bracket that closes the link. */
function endOfDestination(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (/\s/.test(character)) return at;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth < 0) return at;
    if (depth > MOST_BRACKETS) return undefined;
  }
  return undefined;
}

function characterOf(code: string): string | undefined {
  const point = Number(code);
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

function matchAt(
  form: RegExp,
  text: string,
  at: number,
): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}
