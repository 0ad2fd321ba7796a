const KOREAN_NOISE =
  /(역사|유래|기원|자세히|자세하게|상세히|상세하게|상세|심층|조사|연구|분석|비교|보고서|정리|설명|요약|알려\s*(줘|주세요|주십시오)?|말해\s*(줘|주세요)?|해\s*(줘|주세요)|해서|써\s*(줘|주세요)|대해서?|대하여|관하여|관해서?|무엇|어떤|어떻게|왜|언제|그리고|대한|관련|주세요|입니까|인가요?|있는|하는|이란)/g;
const PARTICLE =
  /(에서는|에서|에게|으로|이란|이라|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도|만|란)$/;
const ENGLISH_NOISE = new Set(
  `a an and are as at be by can could did do does for from give had has have how i in into is it its
  me my of on or our please should tell that the their them then there these they this to us use used was we were what when where
  which who why will with would you your about detail detailed details depth history research researching investigate
  analysis analyse analyze report compare comparison explain explanation describe write summary summarise summarize
  brief study deep origin overview question answer using following between some any more most not only very than`.split(
    /\s+/,
  ),
);

const stem = (word: string) =>
  word.length > 4 ? word.replace(/(ies|es|s|ing|ed)$/, '') : word;

/**
 * The searchable parts of a text: stems of Latin words, pairs of syllables for Korean, where endings vary. Question
 * words ("history", "알려줘") are left out, or every article with a history would match.
 */
export function tokensOf(text: string): string[] {
  const lower = text.toLowerCase();
  const latin = (lower.match(/[a-z0-9][a-z0-9+#.-]*[a-z0-9+#]|[a-z0-9]/g) ?? [])
    .filter((word) => word.length > 1 && !ENGLISH_NOISE.has(word))
    .map(stem);
  const korean = (
    lower.replace(KOREAN_NOISE, ' ').match(/[가-힣]+/g) ?? []
  ).flatMap(bigrams);
  return [...latin, ...korean];
}

export const withoutParticle = (word: string): string =>
  word.length > 2 ? word.replace(PARTICLE, '') : word;

function bigrams(word: string): string[] {
  const bare = withoutParticle(word);
  if (bare.length < 2) return bare === '' ? [] : [bare];
  return Array.from({ length: bare.length - 1 }, (_, i) =>
    bare.slice(i, i + 2),
  );
}
