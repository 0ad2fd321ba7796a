/** Patterns and what says the same. A form with an article stands before the one without. */
const ENGLISH: [string, string][] = [
  ['a number of', 'several'],
  ['an additional', 'a further'],
  ['additional', 'further'],
  ['almost', 'nearly'],
  ['begin(?=s? )', 'start'],
  ['contains', 'holds'],
  ['created', 'made'],
  ['creating', 'making'],
  ['currently', 'at present'],
  ['described in', 'explained in'],
  ['each(?= (?!other|of|one)[a-z])', 'every'],
  ['an entire', 'a whole'],
  ['entire', 'whole'],
  ['for example', 'for instance'],
  ['furthermore', 'moreover'],
  ['however(?=,)', 'nevertheless'],
  ['in order to', 'to'],
  ['instead of', 'in place of'],
  ['(?:is|are) able to', 'can'],
  ['large', 'big'],
  ['make sure(?! to| of)', 'ensure'],
  ['more information', 'further information'],
  ['necessary', 'needed'],
  ['need to(?<=(?:you|they|we|not) need to)', 'have to'],
  ['an often', 'a frequently'],
  ['often', 'frequently'],
  ['obtain', 'get'],
  ['provided by', 'supplied by'],
  ['provides', 'supplies'],
  [
    'should(?= (?!not|never|only|always|also|the|an?|you|it|they|we|there|th[ei]s[e]?|that)[a-z])',
    'ought to',
  ],
  ['such as', 'like'],
  ['therefore', 'thus'],
  ['used to(?! be| have)', 'employed to'],
  ['usually', 'normally'],
  ['want to', 'wish to'],
];
const KOREAN: [string, string][] = [
  ['가장', '제일'],
  ['그러나', '하지만'],
  ['또는', '혹은'],
  ['만약', '만일'],
  ['매우', '아주'],
  ['새로운', '새'],
  ['예를 들어', '예컨대'],
  ['자세한', '상세한'],
  ['사용하는', '쓰는'],
  ['사용하여', '써서'],
  ['사용하지', '쓰지'],
  ['사용한', '쓴'],
  ['사용할', '쓸'],
];
/** What stands in a path, an option, a name or quotation marks is no word. */
const english = (pattern: string): RegExp =>
  new RegExp(
    String.raw`(?<![\w./@<"'“‘:=$-])${pattern}(?![\w/@>"'”’=(-]|[.:]\w)`,
    'gi',
  );
const korean = (pattern: string): RegExp =>
  new RegExp(String.raw`(?<![^\s(])${pattern}(?=[\s,])`, 'g');

const WORDS: [RegExp, string][] = [
  ...ENGLISH.map(([one, other]): [RegExp, string] => [english(one), other]),
  ...KOREAN.map(([one, other]): [RegExp, string] => [korean(one), other]),
];

/** A word with a capital within a sentence is a name. */
export const withSynonyms = (text: string): string =>
  WORDS.reduce(
    (kept, [sign, other]) =>
      kept.replace(sign, (found: string, at: number) => {
        if (!/^\p{Lu}/u.test(found)) return other;
        return at === 0 ? capital(other) : found;
      }),
    text,
  );

export const capital = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1);

export const small = (text: string): string =>
  text.charAt(0).toLowerCase() + text.slice(1);
