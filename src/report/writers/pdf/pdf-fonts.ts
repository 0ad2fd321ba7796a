import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';
import { readFileSync } from 'node:fs';

/** Hangul, Hanja, Kana, Latin, Greek and Cyrillic; what a document uses of it is embedded. */
const FOLDER = join(dirname(require.resolve('@embedpdf/fonts-kr')), '../fonts');
export const REGULAR = join(FOLDER, 'NotoSansKR-Regular.otf');
export const BOLD = join(FOLDER, 'NotoSansKR-Bold.otf');

/** In place of a character that the font does not have, such as most emoji. */
const MISSING = '□';
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;

/** Without a place to break a line; its time grows with the square of such a text. */
const UNBROKEN = /[!-~]{300}/g;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const known = new Map<number, boolean>();
let font: Font | undefined;

/** The text in characters of the font: others overlap or are not shown at all. */
export function shown(text: string): string {
  const composed = text
    .normalize('NFC')
    .replaceAll('\t', '    ')
    .replace(UNBROKEN, '$&\n');
  if (isShown(composed)) return composed;
  return Array.from(segmenter.segment(composed), ({ segment }) =>
    inFont(segment),
  ).join('');
}

function inFont(character: string): string {
  const visible = character.replace(INVISIBLE, '');
  if (isShown(visible)) return visible;
  const plain = visible
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC');
  return plain !== '' && isShown(plain) ? plain : MISSING;
}

function isShown(text: string): boolean {
  for (const character of text)
    if (!hasGlyph(character.codePointAt(0)!)) return false;
  return true;
}

function hasGlyph(codePoint: number): boolean {
  const answer = known.get(codePoint);
  if (answer !== undefined) return answer;
  font ??= create(readFileSync(REGULAR)) as Font;
  const found = codePoint === 10 || font.hasGlyphForCodePoint(codePoint);
  known.set(codePoint, found);
  return found;
}
