import chardet from 'chardet';
import iconv from 'iconv-lite';

const META_WITHIN = 1_024;
const GUESS_WITHIN = 64 * 1024;
/** So many characters of several bytes are valid UTF-8 by chance in no other charset. */
const CERTAIN = 8;
/** The share of damaged characters that a right charset may have. */
const MAX_DAMAGE = 0.01;

/** What pages call CP949; the runtime's own `euc-kr` lacks most of its syllables. */
const KOREAN =
  /^(euc-?kr|(x-)?windows-949|(ms|cp|x-)?949|uhc|ks_?c_?5601([-_]?1987|[-_]?1989)?|korean|iso-ir-149)$/;
/**
 * The defaults of many servers, which say nothing about the page. All mean Windows-1252; the runtime's own decoder
 * makes control characters of its quotation marks and dashes.
 */
const WEAK = /^(iso-?8859-?1|latin-?1|windows-1252|cp1252|us-ascii|ascii)$/;

/**
 * The text of bytes of unknown charset: byte order mark, UTF-8 beyond doubt, header, `meta`, UTF-8 with damage, guess.
 * A label that damages the text is not believed.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const marked = byteOrderMark(bytes);
  if (marked) return decode(bytes, marked)!;
  const utf8 = new TextDecoder().decode(bytes);
  const isUtf8 = !utf8.includes('\ufffd') && !utf8.includes('\x1b$');
  if (isUtf8 && severalBytes(utf8, bytes.length) >= CERTAIN) return utf8;
  for (const label of [headerLabel(contentType), metaLabel(bytes)]) {
    if (!label || WEAK.test(label)) continue;
    const text = decode(bytes, label);
    if (text !== undefined && damage(text) <= MAX_DAMAGE) return text;
  }
  if (isUtf8 || (damage(utf8) <= MAX_DAMAGE && hasMany(utf8))) return utf8;
  return guess(bytes) ?? utf8;
}

function guess(bytes: Uint8Array): string | undefined {
  const label = chardet.detect(bytes.subarray(0, GUESS_WITHIN));
  return label ? decode(bytes, label.toLowerCase()) : undefined;
}

/** Undefined for an unknown label. */
function decode(bytes: Uint8Array, label: string): string | undefined {
  const library = KOREAN.test(label)
    ? 'cp949'
    : WEAK.test(label)
      ? 'windows-1252'
      : undefined;
  if (library)
    return iconv.decode(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      library,
    );
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return undefined;
  }
}

function byteOrderMark([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return undefined;
}

function headerLabel(contentType: string): string | undefined {
  return labelIn(/charset\s*=\s*["']?([^\s"';,]+)/i, contentType);
}

function metaLabel(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, META_WITHIN));
  return (
    labelIn(/<meta[^>]{0,500}charset\s*=\s*["']?([^\s"'/>;]+)/i, head) ??
    labelIn(/^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([^"']+)/i, head)
  );
}

function labelIn(pattern: RegExp, text: string): string | undefined {
  const label = pattern.exec(text)?.[1].toLowerCase();
  // What a scanner reads byte by byte is not UTF-16, whatever it says of itself.
  return label?.startsWith('utf-16') && text.includes('<') ? 'utf-8' : label;
}

/** Of valid UTF-8: at least so many characters of several bytes. Each of them has one or two bytes more than its UTF-16 units. */
function severalBytes(text: string, bytes: number): number {
  return (bytes - text.length) / 2;
}

/** Whether the undamaged part is recognisably UTF-8. */
function hasMany(utf8: string): boolean {
  let many = 0;
  for (const [character] of utf8.matchAll(/[^\0-\x7f\ufffd]/gu))
    if (character && (many += 1) >= CERTAIN) return true;
  return false;
}

function damage(text: string): number {
  let damaged = 0;
  for (let at = -1; (at = text.indexOf('\ufffd', at + 1)) >= 0;) damaged += 1;
  return damaged / Math.max(1, text.length);
}
