const MAX_TITLE_CHARS = 300;
const LANGUAGE_WITHIN = 20_000;

/** Scripts that one language has to itself, in the order in which they decide: Japanese has Han too, and Korean may. */
const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ko', /\p{Script=Hangul}/gu],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
];
const MIN_SHARE = 0.1;

/** Text without control characters and lone surrogates, at most one empty line in a row. */
export function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

export function tidyTitle(title: string): string {
  const line = tidy(title).replace(/\s+/g, ' ');
  return line.slice(0, MAX_TITLE_CHARS).toWellFormed();
}

/** Two more than a page needs to be about something. */
export function isEmptyText(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/** The first of the declared languages that is a language tag, else one by script. */
export function languageOf(
  declared: readonly (string | undefined)[],
  text: string,
): string | undefined {
  for (const value of declared) {
    const tag = value?.split(',', 1)[0].trim().replaceAll('_', '-') ?? '';
    if (/^[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}$/i.test(tag)) return canonical(tag);
  }
  return guessLanguage(text.slice(0, LANGUAGE_WITHIN));
}

function guessLanguage(text: string): string | undefined {
  const letters = countOf(/\p{L}/gu, text);
  return SCRIPTS.find(
    ([, script]) => countOf(script, text) > letters * MIN_SHARE,
  )?.[0];
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
