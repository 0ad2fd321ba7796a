/** Longer runs are data, not words, and would only enlarge the index. */
const MAX_WORD = 64;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const RUN =
  /[\p{sc=Hangul}]+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|[^\p{sc=Hangul}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+/gu;
const HANGUL = /^\p{sc=Hangul}/u;
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u;

/** Korean appends particles to the noun: 짜장면은, 짜장면의. */
const PARTICLE =
  /(?:에서는|에서|에게|으로|까지|부터|처럼|보다|이나|이란|은|는|이|가|을|를|의|에|로|와|과|도|만|란)$/;

/** Words that occur in every text. */
const STOP_WORDS = new Set(
  (
    'a about an and any are as at be been but by can could did do does for from had has have how i if in into is it its ' +
    'me my no not of on or our please she should so than that the their them then there these they this those to us was ' +
    'we were what when where which who why will with would you your ' +
    '그 그것 그러나 그런데 그리고 그래서 나 내 너 대하여 대한 대해 대해서 더 등 또 또는 때 및 무엇 뭐 수 알려줘 알려주세요 어디 어떤 ' +
    '어떻게 언제 왜 위한 위해 이 이것 있는 있다 있습니다 저 제 좀 하는 한 할 합니다 것 것은 것이'
  ).split(' '),
);

/**
 * The search terms of a text: folded words of alphabets, and pairs of characters where words have endings or no spaces
 * between them (Korean, Chinese, Japanese). Stop words are left out.
 */
export function termsOf(text: string): string[] {
  const words = fold(text).match(WORD) ?? [];
  return words
    .filter((word) => !STOP_WORDS.has(word))
    .flatMap((word) => word.match(RUN) ?? [])
    .flatMap((run) => {
      if (HANGUL.test(run)) return koreanTerms(run);
      if (CJK.test(run)) return pairsOf(run);
      return [singular(run).slice(0, MAX_WORD)];
    });
}

/** Whether the term also matches as a prefix: 쌀 also finds 쌀밥. */
export function isBeginning(term: string): boolean {
  return mayBeMisspelt(term) || /^[\p{sc=Hangul}\p{sc=Han}]$/u.test(term);
}

/** Short words, numbers and pairs of characters are too similar to each other. */
export function mayBeMisspelt(term: string): boolean {
  return /^\p{sc=Latin}{4,}$/u.test(term);
}

/** Ignores full width, ligatures, case, accents and the apostrophe of an `'s`. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]|['’](?=[st](?!\p{L}))/gu, '')
    .normalize('NFC');
}

function singular(word: string): string {
  if (word.length < 4 || /[^a-z]|[isu]s$/.test(word)) return word;
  return word.replace(/ies$/, 'y').replace(/s$/, '');
}

function koreanTerms(word: string): string[] {
  const bare = word.replace(PARTICLE, '') || word;
  const whole = [word, bare].map((term) => term.slice(0, MAX_WORD));
  return [...new Set([...whole, ...pairsOf(bare)])];
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => characters[i] + character);
}
