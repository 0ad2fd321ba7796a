const WORD = /[\p{L}\p{N}]+/gu;
const CJK = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** The words of a text in one form; runs of Chinese, Japanese and Korean as pairs of characters. */
export function termsOf(text: string): string[] {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) => {
    if (!CJK.test(word)) return word.length > 1 ? [word] : [];
    const characters = Array.from(word);
    return characters.length < 2
      ? characters
      : characters.slice(1).map((one, at) => characters[at] + one);
  });
}

/** How many of the wanted terms a text has, each once. */
export function overlap(text: string, wanted: ReadonlySet<string>): number {
  const found = new Set(termsOf(text).filter((term) => wanted.has(term)));
  return found.size;
}
