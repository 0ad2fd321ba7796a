/** Offsets of negations and hedges in a text. */
export interface Marks {
  readonly negations: readonly number[];
  readonly hedges: readonly number[];
}

const NEGATIONS =
  /\b(?:not|no(?!\.\s?\d)|never|none|neither|nobody|nothing|nowhere|cannot|without|hardly|barely|scarcely|rarely|seldom|lack(?:s|ed|ing)?|fail(?:s|ed)? to|unable|(?:do|does|did|is|are|was|were|could|would|should|has|have|had)nt)\b|n['’]t\b|\bnor\b|않|없|못|아니|아닌|아닙|아녔|불가(?!피)|(?<![가-힣])안(?=\s)|말아야|하지\s?마/gi;
/** Words that only look like a negation. */
const LOOKALIKES = /끊임없|틀림없|어김없|잘못|연못|못지않|변함없|다름없/g;
const HEDGES =
  /\b(?:may|might|can|could|cannot|possibly|perhaps|maybe|probably|likely|unlikely|presumably|reportedly|allegedly|apparently|seem(?:s|ed)?|appear(?:s|ed)? to|suggest(?:s|ed)?|estimated?|estimates|expect(?:s|ed)?|projected|predicted|believed|thought to|potential(?:ly)?|supposedly|rumou?red|planned|plans to)\b|추정|추산|[ㄹ가-힣] 수(?:도|는|가)? ?[있없]|것으로 (?:보|예상|전망|추)|듯하|듯 |아마|가능성|전망|예상|예정|계획|추측|알려졌|알려져|할지도|모른다/gi;

const ORDER =
  /\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?)\b|(?:지시|명령|프롬프트)[^.!?\n]{0,15}(?:무시|잊)/i;

/** Whether a text instructs a model: what it wants to be written is not what it states. */
export function isOrder(text: string): boolean {
  return ORDER.test(text);
}

export function isNegation(word: string): boolean {
  return withoutLookalikes(word).search(NEGATIONS) >= 0;
}

/** "May" with a capital is a month; a neither … nor is one negation. */
export function marksOf(text: string): Marks {
  const bare = withoutLookalikes(text);
  const hasNeither = /\bneither\b/i.test(bare);
  const negations = [...bare.matchAll(NEGATIONS)]
    .filter(([word]) => !(hasNeither && word.toLowerCase() === 'nor'))
    .map(({ index }) => index);
  return {
    negations,
    hedges: [...bare.matchAll(HEDGES)]
      .filter(([word]) => word !== 'May')
      .map(({ index }) => index),
  };
}

function withoutLookalikes(text: string): string {
  return text.replace(LOOKALIKES, (word) => '·'.repeat(word.length));
}
