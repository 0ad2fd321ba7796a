/** Beginnings of Korean words that say nothing which a quote could confirm. */
const STOP =
  /^(?:이|그|저|것|수|등|및|또는|또|또한|그리고|하지만|그러나|때문|위해|위한|대한|대해|대하여|통해|통한|따라|따르면|의해|의하면|의한|있|하|했|한|할|되|된|됐|같은|이러한|그러한|이런|그런|이는|이를|이후에는|있는|현재|당시|약|총|전체|모두의|자료|문서|보고서|보도|연구|기사|페이지|회사|기업|국가|나라|수치|기록|집계|알려|밝혔|밝힌|설명|않|없|못|아니|아닌|아닙|안|더|가장의|매우|즉|바|점|데|때|곳|중|속|위|측|당|비해|관한|관련|라는|라고|이라는|이라고|이었|이었다|이다|입니다|였다|였습니다|이며|로|으로|에|은|는|을|를|의|와|과|도|만|까지|부터|에서|에는|에도|에서는|로는|으로는|가|이나|나|보다|마다|씩|간|동안|정도|달|해|년|명|개)$/;
/** Negations are compared as such; see `polarity.marks.ts`. */
const NEGATION = /^(?:않|없|못(?!지)|아니|아닌|아닙)/;
const PREDICATE_STOP =
  /^(?:하|했|합|해|되|됐|된|됩|있|이었|였|입|것으로|달했|달한|달합|나타났|나타나|기록했|집계됐|집계되|알려졌|알려져|알려진|밝혔|설명|전했|보도|이르렀|이른다|이릅|차지)/;
const PARTICLE =
  /(?:에서는|에서도|으로는|으로도|에게서|이라는|이라고|이라며|까지는|부터는|에서|에게|에는|에도|으로|로는|로도|까지|부터|보다|처럼|마다|조차|라도|이나|이며|이고|이다|이었다|였다|입니다|이란|라는|라고|은|는|이|가|을|를|의|에|와|과|도|만|로|께|나|며|란)$/;
/** First syllables of what may follow a stem: particles and endings. */
const ENDINGS = new Set(
  '은는이가을를의에와과도만으로부까께보처라마나며고다입였었았했하한할함합해되된될됨됩돼됐시셨습던면지자려어아여게기음인일임들적있없않못란네졌져진집될뿐'.split(
    '',
  ),
);

export function koreanStem(word: string): string {
  const bare = word.replace(PARTICLE, '');
  return bare === '' ? word : bare;
}

export function isKoreanStop(word: string): boolean {
  return (
    NEGATION.test(word) ||
    STOP.test(word) ||
    STOP.test(koreanStem(word)) ||
    PREDICATE_STOP.test(word)
  );
}

/** Equal stems, or two common syllables and endings after them; contracted verbs by the letters of their stem. */
export function isSameKorean(left: string, right: string): boolean {
  if (left === right) return true;
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  if (same >= 2)
    return isEnding(left.slice(same)) && isEnding(right.slice(same));
  return same === 1 && isSameVerb(left, right);
}

function isEnding(rest: string): boolean {
  return rest === '' || (rest.length <= 6 && ENDINGS.has(rest[0]));
}

/** 만든, 만들었다: three letters more than the first syllable are common. */
function isSameVerb(left: string, right: string): boolean {
  const [a, b] = [left.normalize('NFD'), right.normalize('NFD')];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const isVerb = (word: string): boolean =>
    word.length >= 2 &&
    /(?:[다는며고진던]|[가-힣]었|[가-힣]았|[습ㄴ]니다)/.test(word.slice(1));
  return (
    same >= 5 &&
    (isVerb(left) || isVerb(right)) &&
    left.length + right.length > 4
  );
}
