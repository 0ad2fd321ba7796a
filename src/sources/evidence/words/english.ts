/** Words that say nothing which a quote could confirm. */
export const EN_STOP = new Set(
  `a an the of to in on at by for from with as into onto within among between through during per via and or but so than then that this these those it its they
  them their he she his her him we our you your i who whom whose which what where when while whereas although though because since if whether is are was were be been being am do does
  did has have had having will would shall should can could may might must not no never none neither nor cannot also about approximately roughly around over under above below more-or-less up out
  there here such same each other another some any both very just still yet already even however therefore thus moreover furthermore meanwhile instead according reported reportedly report reports said says say
  stated states state note notes noted describes described mentions mentioned explains explained known called named data figure figures total amount amounted number numbers level overall currently today now
  source sources page article document study well as-well company country project organization like n't don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn us one ones
  come came comes make makes made making take takes took taken get gets got it's become becomes became way thing things together combined altogether sum difference gap average mean ratio`.split(
    /\s+/,
  ),
);

const IRREGULAR = new Map(
  `rose:rise risen:rise grew:grow grown:grow fell:fall fallen:fall sold:sell began:begin begun:begin built:build held:hold won:win led:lead wrote:write written:write bought:buy
  lost:lose spent:spend sent:send kept:keep left:leave met:meet ran:run paid:pay taught:teach thought:think brought:bring drew:draw drawn:draw gave:give given:give went:go gone:go knew:know
  spoke:speak spoken:speak chose:choose chosen:choose drove:drive driven:drive ate:eat eaten:eat flew:fly flown:fly broke:break broken:break shown:show showed:show lay:lie men:man women:woman
  children:child people:person feet:foot halves:half lives:life leaves:leaf`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);
const SUFFIX =
  /^(?:|e|s|es|ed|d|er|ers|or|ors|ion|ions|ation|ations|ment|ments|ly|al|ally|ian|ians|ance|ence|ive|ity|ic|y|i|iness|th|n|an|ans)$/;

export function englishStem(word: string): string {
  const lower = word.toLowerCase().replace(/['’]s?$/, '');
  const known = IRREGULAR.get(lower);
  if (known !== undefined) return englishStem(known);
  const bare = withoutEnding(withoutPlural(lower));
  return bare.replace(/e$/, '').replace(/y$/, 'i');
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word) || word.length < 4) return word;
  return word.replace(/(?<=[sxz]|ch|sh)es$|s$/, '');
}

function withoutEnding(word: string): string {
  const bare = word.replace(/(?:ing|ed)$/, '');
  if (bare === word || bare.length < 2 || !/[aeiouy]/.test(bare)) return word;
  return bare.replace(/([bdfgmnprt])\1$/, '$1');
}

/** Whether two stems are forms of one word: equal, or a common beginning of five letters with usual endings. */
export function isSameEnglish(left: string, right: string): boolean {
  if (left === right) return true;
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  return (
    same >= 5 && SUFFIX.test(left.slice(same)) && SUFFIX.test(right.slice(same))
  );
}
