const LOOKED_AT = 20_000;
const MIN_SHARE = 0.1;

/** Scripts that one language has to itself, in the order in which they decide: Japanese has Han too, and Korean may. */
const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ko', /\p{Script=Hangul}/gu],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
];

/** By script; what has none of its own counts as English. */
export function languageOf(text: string): string {
  const sample = text.slice(0, LOOKED_AT);
  const letters = countOf(/\p{L}/gu, sample);
  const found = SCRIPTS.find(
    ([, script]) => countOf(script, sample) > letters * MIN_SHARE,
  );
  return found?.[0] ?? 'en';
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
