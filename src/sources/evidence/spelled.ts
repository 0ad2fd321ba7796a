const list = (words: string): string[] => words.split(' ');

const UNITS = list(
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
);
const TENS = list('twenty thirty forty fifty sixty seventy eighty ninety');
const KO_TENS = list('열 스물 서른 마흔 쉰 예순 일흔 여든 아흔');
const KO_ONES = list('한 두 세 네 다섯 여섯 일곱 여덟 아홉');
const KO_DAYS = list('하루 이틀 사흘 나흘 닷새 엿새 이레 여드레 아흐레');
const OTHERS: Record<string, number> = {
  twice: 2,
  double: 2,
  doubled: 2,
  triple: 3,
  tripled: 3,
  dozen: 12,
  half: 0.5,
  halved: 0.5,
  third: 1 / 3,
  quarter: 0.25,
  fifth: 0.2,
  tenth: 0.1,
  절반: 0.5,
  반: 0.5,
  갑절: 2,
  곱절: 2,
};
const COUNTER = '\\s?(?:배|명|곳|개|번|가지|달|해|살|시간|사람|마리|대|차례)';
const ENGLISH = new RegExp(
  String.raw`\b(?:(${TENS.join('|')})(?:[\s-](${UNITS.slice(0, 9).join('|')}))?|(${UNITS.join('|')})|(${Object.keys(
    OTHERS,
  )
    .filter((one) => /^\w/.test(one))
    .join('|')}))s?\b`,
  'gi',
);
const KOREAN = new RegExp(
  String.raw`(${KO_TENS.join('|')}|스무)\s?(${[...KO_ONES, ...KO_DAYS].join('|')})?|(?<![가-힣])(${KO_ONES.join('|')})(?=${COUNTER})|(\d{1,3})분의 ?(\d{1,3})|(?<![가-힣])(절반|반|갑절|곱절)`,
  'g',
);

/** The numbers that a text has as words, in English and in Korean. */
export function spelledNumbers(text: string): number[] {
  const at = (words: readonly string[], word = ''): number =>
    words.indexOf(word) + 1;
  const english = [...text.toLowerCase().matchAll(ENGLISH)].map(
    ([, tens, ones, unit, other]) =>
      other
        ? OTHERS[other]
        : unit
          ? at(UNITS, unit)
          : (at(TENS, tens) + 1) * 10 + at(UNITS, ones),
  );
  const korean = [...text.matchAll(KOREAN)].map(
    ([, tens, ones, unit, whole, part, other]) => {
      if (other) return OTHERS[other];
      if (whole) return Number(part) / Number(whole);
      if (unit) return at(KO_ONES, unit);
      return (
        (tens === '스무' ? 20 : at(KO_TENS, tens) * 10) +
        at(KO_ONES, ones) +
        at(KO_DAYS, ones)
      );
    },
  );
  return [...english, ...korean].filter(Number.isFinite);
}
