import { type Compared, isWhole } from './compared';

/** What a judge of the sentence should look at. It decides nothing: honest sentences have flags too. */
export interface Flag {
  flag: string;
  /** Of the quotes, or of the sentence where these have none. */
  words: string;
}

interface Row {
  flag: string;
  /** Stands in the quotes. */
  quotes: RegExp;
  /** Stands in the sentence, and not in the quotes. */
  sentence?: RegExp;
  /** Stands in no honest rewording. */
  unless?: RegExp;
}

/** Words of doubt. Case counts: May is a month. */
const HEDGES =
  /\b(?:may|might|could|possibly|perhaps|maybe|probably|likely|presumably|apparently|seems?|appears?|suggests?|preliminary|(?:cannot|can ?not) be (?:excluded|ruled out))\b|가능성|추정|것으로 보|수 있|수도 있|듯|아마/;
const SPEAKERS =
  /\b(?:according to|claims?|claimed|maintains?|says?|said|complain(?:s|ed)?|writes?|wrote|argues?|argued|alleges?|alleged(?:ly)?|objects?|objected|in (?:his|her|their) (?:memoirs|view|opinion)|reportedly|divided|disputed|critics?)\b|주장|따르면|말했|밝혔|논란/i;
const PLANS =
  /\b(?:will|plans?|planned|scheduled|intends?|intended|due to|aims?|expects?|expected|target(?:ed)?|proposed|to be|set to|begin)\b|예정|계획|목표|방침|할 것/i;

/** Each row is measured on labelled sentences, where it must fire on more false ones than on honest ones. */
const ROWS: readonly Row[] = [
  {
    flag: 'quantity of a part said of all',
    quotes:
      /\b(?:(?:almost|nearly) (?:all|every)|most|some|many|several|only|except)\b|대부분|일부|만 /i,
    sentence:
      /\b(?:all|every|any|each|always|none|nobody|never|everyone|not a single)\b|모두|모든|전부|누구나|항상|하나도/i,
  },
  // "Says" and "said" stand in most long quotes, beside true sentences as often as beside false ones; so do "might" and "likely" below.
  {
    flag: 'said by someone',
    quotes:
      /\b(?:according to|claims?|claimed|maintains?|complain(?:s|ed)?|argues?|argued|alleges?|alleged(?:ly)?|objects?|objected|in (?:his|her|their) (?:memoirs|view|opinion)|reportedly|divided|disputed|critics?)\b|주장|따르면|밝혔|논란/i,
    unless: SPEAKERS,
  },
  {
    flag: 'doubt left out',
    quotes:
      /\b(?:may|could|possibly|perhaps|maybe|probably|presumably|apparently|seems?|appears?|suggests?|preliminary|(?:cannot|can ?not) be (?:excluded|ruled out))\b|가능성|추정|것으로 보|수 있|수도 있|듯|아마/,
    unless: HEDGES,
  },
  {
    flag: 'plan told as done',
    quotes: /\b(?:plans? to|planned|scheduled|expects to)\b|예정|계획|목표/i,
    unless: PLANS,
  },
  {
    flag: 'title',
    quotes:
      /\b(?:former|acting|deputy|vice|interim|assistant|honorary)\b|(?<![가-힣])(?:전|부|임시)[가-힣]*장|까지 [가-힣]*장을/i,
    unless:
      /\b(?:former|acting|deputy|vice|interim|assistant|honorary|used to|until)\b|(?<![가-힣])(?:전|부|임시)[가-힣]*장|까지/i,
  },
  {
    flag: 'rank',
    quotes:
      /\b(?:second|third|fourth|among the|one of the|only \p{L}+ (?:\p{L}+ )?(?:receives|needs)|that year)\b|번째/iu,
    sentence:
      /\b(?:\p{L}{3,}est|most|ever|no \p{L}+ (?:has|on|receives)|than all)\b|가장|제일|최대|최고/iu,
  },
  {
    flag: 'cause',
    quotes:
      /\b(?:associated|correlat\p{L}+|cross-sectional|because|thanks to)\b|일수록|할수록/iu,
    sentence:
      /\b(?:causes?|caused|prevents?|shortens?|lowers?|raises?|improves?|proves?|leads? to|makes?|made)\b|원인|때문|입증|덕/i,
  },
];

/** The flags of a sentence, at most one of each row. */
export function flagsOf(compared: Compared): Flag[] {
  if (!isWhole(compared)) return [];
  const { sentence, quotes } = compared;
  const text = quotes.join('\n');
  return ROWS.flatMap(({ flag, quotes: pattern, sentence: own, unless }) => {
    const found = pattern.exec(text)?.[0];
    if (found === undefined || unless?.test(sentence)) return [];
    if (own === undefined) return [{ flag, words: found.trim() }];
    const said = own.exec(sentence)?.[0];
    return said === undefined || own.test(text)
      ? []
      : [{ flag, words: said.trim() }];
  });
}
