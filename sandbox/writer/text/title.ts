const LONGEST = 80;

const KOREAN_ASKING =
  /\s*((을|를|에 대해서?|에 대하여|에 관해서?)\s*)?((좀|자세히|상세히|상세하게|자세하게|심층|깊이|간단히|조사해서|조사하여|연구해서|정리해서|분석해서|비교|분석|조사)\s*)*(알려\s*(줘|주세요)|조사해\s*(줘|주세요)|설명해\s*(줘|주세요)|정리해\s*(줘|주세요)|분석해\s*(줘|주세요)|연구해\s*(줘|주세요)|비교해\s*(줘|주세요)|써\s*(줘|주세요))?\s*$/;
const ENGLISH_ASKING =
  /^(please\s+|can you\s+|could you\s+)*(tell me (all )?about|explain|describe|research|investigate|analy[sz]e|compare|report on|write a (detailed )?report (on|about))\s+/i;
const ENGLISH_MANNER = /\s+in (great |more )?(detail|depth)$/i;

/** A heading from a question: without its full stop and its question words. */
export function titleOf(question: string): string {
  const bare = question.trim().replace(/[?.!？。\s]+$/, '');
  const title = bare
    .replace(KOREAN_ASKING, '')
    .replace(ENGLISH_ASKING, '')
    .replace(ENGLISH_MANNER, '')
    .trim();
  const shown = title === '' ? bare : title;
  const points = Array.from(shown);
  return points.length > LONGEST
    ? `${points.slice(0, LONGEST).join('')}…`
    : shown;
}
