import { setImmediate as nextTurn } from 'node:timers/promises';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** The tag of a language that is not known. */
export const UNDETERMINED = 'und';
/** Longer texts name no language. */
const MAX_CHARS = 100;

const english = new Intl.DisplayNames('en', {
  type: 'language',
  fallback: 'none',
});
let known: Promise<ReadonlyMap<string, string>> | undefined;

/** The languages by their names in English and in themselves, in lower case. */
export function languageNames(): Promise<ReadonlyMap<string, string>> {
  known ??= findNames();
  return known;
}

async function findNames(): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const code = first + second;
      const options = { type: 'language', fallback: 'none' } as const;
      const name = english.of(code);
      const own = name && new Intl.DisplayNames(code, options).of(code);
      for (const one of [own, name])
        if (one) names.set(one.toLowerCase(), code);
    }
    await nextTurn();
  }
  return names;
}

/** A language as `xx` or `xx-YY`, from a tag or a name as people write them; undefined where it is none. */
export function languageTag(
  text: string,
  names: ReadonlyMap<string, string>,
): string | undefined {
  const given = text.slice(0, MAX_CHARS).trim();
  const words = given.split(/[^\p{L}\p{M}\p{N}_-]+/u).filter(Boolean);
  const named = [given, ...words].map((one) => names.get(one.toLowerCase()));
  return shortTag(given) ?? named.find(Boolean) ?? shortTag(words[0] ?? '');
}

/** `zh-Hans` is `zh-CN`: a script stands for the region that it is written in. */
function shortTag(text: string): string | undefined {
  try {
    const locale = new Intl.Locale(text.replaceAll('_', '-'));
    const { language, script } = locale;
    if (english.of(language) === undefined) return undefined;
    const { region = '' } = script ? locale.maximize() : locale;
    return /^[A-Z]{2}$/.test(region) ? `${language}-${region}` : language;
  } catch {
    return undefined;
  }
}
