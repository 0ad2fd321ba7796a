import { cleaned, ORDER } from './extract';
import { capital, small, withSynonyms } from './synonyms';

/** What a quote says in other words. Each rule keeps every number, but for rounding with "about", and every negation. */
export const inOtherWords = (quote: string): string =>
  [passive, clausesExchanged, rounded, plainEnding, withSynonyms].reduce(
    (text, rule) => rule(text),
    cleaned(quote),
  );

const PARTICIPLES: Record<string, string> = {
  add: 'added',
  build: 'built',
  check: 'checked',
  contains: 'contained in',
  defines: 'defined by',
  describes: 'described by',
  download: 'downloaded',
  find: 'found',
  includes: 'included in',
  install: 'installed',
  provides: 'provided by',
  read: 'read',
  remove: 'removed',
  requires: 'required by',
  specify: 'specified',
  supports: 'supported by',
  use: 'used',
  uses: 'used by',
};
const VERBS = Object.keys(PARTICIPLES).join('|');
/** A word of one phrase: a clause or a second phrase would belong to something else in the passive. */
const WORD =
  "(?!(?:and|or|but|that|which|who|to|if|when|not|no|only|is|are|was|were)\\b)[\\w'’-]+";
const SUBJECT = new RegExp(
  `^((?:The|This)(?: ${WORD}){1,3}?) (${VERBS}) ((?:the|an?|its|all)(?: ${WORD}){1,8})\\.$`,
);
const READER = new RegExp(
  `^You (can|could|may|must|should) (${VERBS}) ((?:the|an?|this|these|your)(?: ${WORD}){1,4}?)((?: (?:to|with|from|in|on|for)\\b[^,;:]*)?)\\.$`,
);

/** "The file contains a list." is "A list is contained in the file." */
const passive = (text: string): string =>
  text
    .replace(
      SUBJECT,
      (_, subject: string, verb: string, object: string) =>
        `${capital(object)} ${isMany(object) ? 'are' : 'is'} ${PARTICIPLES[verb]} ${small(subject)}.`,
    )
    .replace(
      READER,
      (
        whole: string,
        modal: string,
        verb: string,
        object: string,
        rest: string,
      ) =>
        / (?:and|or|but) /.test(rest)
          ? whole
          : `${capital(object)} ${modal} be ${PARTICIPLES[verb]} by you${rest}.`,
    );

/** By the word before the first preposition. */
function isMany(phrase: string): boolean {
  const [head] = phrase.split(/ (?:of|for|in|on|from|with|by|about|at|as)\b/);
  return !/^an? /.test(phrase) && /[^su]s$/.test(head);
}

/** A condition or a place first, then a whole clause, in which nothing is joined that it might not belong to. */
const CLAUSES =
  /^(If|When|In|On|For|At) (?!the other|other words|the contrary)([^,;:?]+ [^,;:?]+), (?:then )?((?:you|the|this|there|an?|we|these|all|please) (?:(?! (?:and|or|but|unless|if|when|because|since|although|which|so)\b)[^,;:?])+)\.$/;

/** "If it rains, the roof leaks." is "The roof leaks if it rains." */
const clausesExchanged = (text: string): string =>
  text.replace(
    CLAUSES,
    (_, head: string, first: string, second: string) =>
      `${capital(second)} ${small(head)} ${first}.`,
  );

/** A number of things, or a share: no year, version or section. */
const QUANTITY =
  /(?<!\p{Lu}\p{L}* |[\p{L}\d.,:/#-]|(?:about|around|nearly|almost|approximately|약) ?)(?:(?!(?:19|20)\d\d\b)\d{3,9}(?= (?:bugs|developers|files|members|packages|pages|people|programs|servers|users|volunteer)|[개명건])|\d{1,2}\.\d(?= ?%| percent))/gu;
/** A bound, which is exact. */
const BOUND =
  /\b(?:at least|at most|exactly|minimum|maximum|limit|between|up to|within|must|version|port|section)\b|이상|이하|미만|초과|최대|최소|정확히/i;

/** Numbers with more than two digits that count: about so many. */
function rounded(text: string): string {
  if (BOUND.test(text)) return text;
  const about = /[가-힣]/.test(text) ? '약' : 'about';
  return text.replace(QUANTITY, (found: string) => {
    const near = Number(Number(found).toPrecision(2));
    return near === Number(found)
      ? found
      : `${about} ${near.toLocaleString('en')}`;
  });
}

/** A polite ending of Korean as reports have it, where it is the same for verbs and adjectives. */
const plainEnding = (text: string): string =>
  text
    .replace(/(?<=[있없았었였했됐])습니다\.$/, '다.')
    .replace(/입니다\.$/, '이다.')
    .replace(/됩니다\.$/, '된다.');

/** Longer sentences stay alone, and so do those to which a condition belongs that would reach on. */
const MAX_MERGED = 120;
const REACHES =
  /[,;:?]|\b(?:if|when|unless|while|because|although|that)\b|경우|때|면 /i;
/** The first word of a sentence that is small elsewhere. */
const SMALL =
  /^(?:The|This|That|These|It|They|There|An?|You|We|In|On|For|At|All|Each|If|When|Some|Most)\b/;
/** One thing, and no person. */
const SUBJECT_AND_VERB =
  /^((?:The|This) [\w-]+(?: [\w-]+)?(?<!s|er|or)) (?:is|was|has|does)\b/;
const ENDING = /(합니다|됩니다|된다|습니다|(?<!니)다)\.$/;
const JOINED: Record<string, string> = {
  합니다: '하고',
  됩니다: '되고',
  된다: '되고',
  습니다: '고',
  다: '고',
};

/** Two statements of one page as one sentence, a subject that both have by a pronoun; undefined where one would reach into the other. */
export function merged(first: string, second: string): string | undefined {
  const [left, right] = [first, second].map(inOtherWords);
  const isApart = [left, right].every(
    (one) => one.length <= MAX_MERGED && !REACHES.test(one),
  );
  if (!isApart) return undefined;
  if (ENDING.test(left) && /[가-힣]/.test(right))
    return `${left.replace(ENDING, (_, end: string) => JOINED[end])}, ${right}`;
  if (!/[a-z]\.$/.test(left) || /[가-힣]/.test(left + right)) return undefined;
  const [, subject] = SUBJECT_AND_VERB.exec(left) ?? [];
  const [, same] = SUBJECT_AND_VERB.exec(right) ?? [];
  const next =
    subject !== undefined && subject === same
      ? `it${right.slice(same.length)}`
      : right;
  if (!SMALL.test(next) && !/^[a-z]/.test(next)) return undefined;
  return `${left.slice(0, -1)}, and ${small(next)}`;
}

/** Everything that an honest writer makes of the quotes. What a page orders is nothing to be said. */
export function paraphrasesOf(quotes: readonly string[]): string[] {
  const stated = quotes.filter((quote) => !ORDER.test(quote));
  const joined = stated.flatMap((one) =>
    stated.flatMap((other) =>
      one === other ? [] : (merged(one, other) ?? []),
    ),
  );
  return [...stated.map(inOtherWords), ...joined];
}
