import { decimalOf, plus, times, type Decimal } from './decimal';

/** A number in words and its place. */
export interface Spelled {
  readonly start: number;
  readonly end: number;
  readonly value: Decimal;
}

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: Record<string, string> = {
  hundred: '100',
  thousand: '1000',
  million: '1000000',
  billion: '1000000000',
  trillion: '1000000000000',
};
const WORD = [...SMALL, ...TENS, ...Object.keys(SCALES)].join('|');
const RUN = new RegExp(
  `\\b(?:an? (?=${Object.keys(SCALES).join('|')}))?(?:${WORD})(?:[ -](?:and )?(?:${WORD})){0,7}\\b`,
  'gi',
);
const KO_TENS = [
  '열',
  '스물',
  '서른',
  '마흔',
  '쉰',
  '예순',
  '일흔',
  '여든',
  '아흔',
];
const KO_ONES = [
  '한',
  '두',
  '세',
  '네',
  '다섯',
  '여섯',
  '일곱',
  '여덟',
  '아홉',
];
const NATIVE = new RegExp(
  `(?<![가-힣])(?:(${KO_TENS.join('|')})(${KO_ONES.join('|')})?|(스무)|(${KO_ONES.join('|')}))(?=\\s?(?:명|개|번|가지|배|살|시간|달|마리|대|곳|차례|사람|해|권|잔|쌍|건|종|척|채|그루|판|곡|주|나라|도시|단계|차례)(?:[^가-힣]|[가-힣]{0,3}(?:[^가-힣]|$)|$))`,
  'g',
);

/** English number words and native Korean numerals beside a counter. "one" alone and "한" as "a certain" are left out. */
export function spelledNumbers(text: string): Spelled[] {
  return [...english(text), ...korean(text)];
}

function english(text: string): Spelled[] {
  return [...text.matchAll(RUN)].flatMap((match) => {
    const words = match[0].toLowerCase().split(/[ -](?:and )?/);
    const isBare =
      words.length === 1 && (words[0] === 'one' || words[0] in SCALES);
    if (isBare) return [];
    const end = match.index + match[0].length;
    return [{ start: match.index, end, value: englishValue(words) }];
  });
}

function englishValue(words: readonly string[]): Decimal {
  let total = decimalOf('0');
  let group = decimalOf('0');
  for (const word of words) {
    const scale = SCALES[word];
    if (scale === undefined) {
      group = plus(group, decimalOf(String(smallValue(word))));
      continue;
    }
    const counted = group.digits === 0n ? decimalOf('1') : group;
    group = times(counted, decimalOf(scale));
    if (word === 'hundred') continue;
    total = plus(total, group);
    group = decimalOf('0');
  }
  return plus(total, group);
}

/** The article of "a million" counts as nothing: the scale then stands alone. */
function smallValue(word: string): number {
  const tens = TENS.indexOf(word);
  if (tens >= 0) return (tens + 2) * 10;
  return Math.max(0, SMALL.indexOf(word));
}

function korean(text: string): Spelled[] {
  return [...text.matchAll(NATIVE)].map((match) => {
    const [whole, tens, ones, twenty, single] = match;
    const value = twenty
      ? 20
      : (KO_TENS.indexOf(tens ?? '') + 1) * 10 +
        KO_ONES.indexOf(ones ?? single ?? '') +
        1;
    return {
      start: match.index,
      end: match.index + whole.length,
      value: decimalOf(String(value)),
    };
  });
}
