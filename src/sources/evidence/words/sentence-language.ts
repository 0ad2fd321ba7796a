/** Languages whose numbers, negations and words can be compared; `other` is compared by identity alone. */
export type Language = 'en' | 'ko' | 'other';

const ENGLISH = new Set(
  'the of and to in is was for that with as are were on at by from has have had it its this which be been not or an but more than their they he she his her will would can may about into over after also other between no if who all one did does do when while under since until'.split(
    ' ',
  ),
);
const OTHERS = new Set(
  'der die das und nicht ist sind wurde mit für von den dem ein eine auf im zu le la les des du est une dans pour pas sur avec qui que el los las del por una con y se no es en il di che della per non sono het een van niet zijn voor op da do em um uma os não och att som är på jag av og det ikke'.split(
    ' ',
  ),
);

/**
 * Hangul in a fifth of the letters is Korean, also with Latin names; Latin letters are English by their function words.
 * The share is twice that of `languageOf`: one Korean name is a tenth of an English sentence, but not of a page.
 */
export function sentenceLanguage(text: string): Language {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu);
  const hangul = count(/\p{Script=Hangul}/gu);
  if (letters === 0) return 'other';
  if (count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) * 10 > letters)
    return 'other';
  if (hangul * 5 >= letters) return 'ko';
  const latin = count(/\p{Script=Latin}/gu);
  return latin * 10 >= letters * 8 && isEnglish(text) ? 'en' : 'other';
}

function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const english = words.filter((word) => ENGLISH.has(word)).length;
  const other = words.filter(
    (word) => OTHERS.has(word) && !ENGLISH.has(word),
  ).length;
  const isPlain = /^[\p{ASCII}\p{P}\p{S}\p{N}\p{Z}]*$/u.test(text);
  return (
    english > other ||
    (english === 0 &&
      other === 0 &&
      isPlain &&
      words.some((word) => /(?:ed|ing|tion|s)$/.test(word)))
  );
}
