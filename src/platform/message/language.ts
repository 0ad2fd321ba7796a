const LOOKED_AT = 20_000;
/** A text may quote another language than its own, and a Korean one may be full of Latin names. */
const MIN_SHARE = 0.1;

/** Scripts that one language has to itself, in the order in which they decide: Japanese has Han too, and Korean may. */
const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ko', /\p{Script=Hangul}/gu],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
];

/** Of a page or a report, by script; undefined for a script of several languages, such as Latin. */
export function languageOf(text: string): string | undefined {
  const sample = text.slice(0, LOOKED_AT);
  const letters = countOf(/\p{L}/gu, sample);
  return SCRIPTS.find(
    ([, script]) => countOf(script, sample) > letters * MIN_SHARE,
  )?.[0];
}

/** Whether texts of a language differ from most others by their script. @param tag BCP 47. */
export function hasOwnScript(tag: string): boolean {
  return SCRIPTS.some(([language]) => language === tag.split('-')[0]);
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
