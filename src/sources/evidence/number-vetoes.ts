import { type Compared, evidenceOf } from './compared';
import {
  exact,
  MAX_NUMERALS,
  type Numeral,
  numeralsOf,
  valuesOf,
} from './numbers';

/** Smaller ones count what a text lists, or are words, months and parts of names there. */
const COUNTED = 12;

/** The sentence computes: which numbers, its verifier says. */
const COMPUTES =
  /\b(?:total|altogether|combined|together|sum|difference|gap|ratio|average|mean|share|more|less|fewer|higher|lower|longer|shorter|older|younger|further|extra|additional|remaining|times|twice|doubled?|tripled?|half|halved|thirds?|quarters?|rose|rise|risen|grew|grow|growth|grown|gain(?:ed)?|increased?|fell|fall|fallen|drop(?:ped)?|declined?|decreased?|shrank|span)\b|합계|모두|합하|합쳐|합치|총|차이|격차|보다|배(?:이|가|로|나|였|에|\s|$)|비율|비중|평균|증가|감소|상승|하락|늘|줄|올랐|내렸|만에|사이에|분의|절반/i;

/** Dates that are named by others. */
const RELATIVE =
  /\b(?:later|earlier|after|before|next|previous|following|last|ago|same year|that year|this year)\b|이듬해|다음|뒤|후|전|지난|작년|올해|같은 해|그해|내년/i;

/** Units of one kind. Where a sentence uses another than its quotes, it converts. */
const UNITS: readonly (readonly RegExp[])[] = [
  [
    /시간|\bhours?\b|\bh\b/i,
    /분(?!기)|\bmin(?:ute)?s?\b/i,
    /초|\bsec(?:ond)?s?\b/i,
    /(?<![월.]\s?\d{1,2})일|하루|보름|\bdays?\b|\bdaily\b/i,
    /주(?!년)|\bweeks?\b|\bfortnights?\b/i,
    /개월|달|\bmonths?\b/i,
    /(?<!\d{4})년|\byears?\b/i,
    /\bdecades?\b/i,
    /\bcentur(?:y|ies)\b/i,
  ],
  [
    /\bkm\b|㎞|킬로미터|\bkilomet/i,
    /\bm\b|(?<!킬로|센티|밀리)미터|\bmet(?:er|re)s?\b/i,
    /\bcm\b|센티|\bcentimet/i,
    /\bmm\b|밀리미터|\bmillimet/i,
    /마일|\bmiles?\b/i,
    /피트|\bfeet\b|\bfoot\b|\bft\b/i,
    /인치|\binch/i,
  ],
  [
    /\bkg\b|㎏|킬로그램|\bkilo(?:gram)?s?\b/i,
    /\bg\b|(?<!킬로|밀리)그램|\bgrams?\b/i,
    /\bmg\b|밀리그램|\bmilligram/i,
    /톤|\bton(?:ne)?s?\b/i,
    /파운드|\bpounds?\b|\blbs?\b/i,
  ],
  [
    /리터|\bl\b|\blit(?:er|re)s?\b/i,
    /\bml\b|밀리리터|\bmillilit/i,
    /갤런|\bgallons?\b/i,
  ],
  [
    /㎡|제곱미터|\bsquare met|m²/i,
    /㎢|제곱킬로미터|\bsquare kilomet|km²/i,
    /헥타르|\bhectares?\b|\bha\b/i,
    /에이커|\bacres?\b/i,
    /평(?!균|가)/,
  ],
  [
    /\bTi?B\b|테라바이트|\bterabyte/i,
    /\bGi?B\b|기가바이트|\bgigabyte/i,
    /\bMi?B\b|메가바이트|\bmegabyte/i,
    /\bKi?B\b|킬로바이트|\bkilobyte/i,
    /\bbytes?\b/i,
  ],
  [
    /\bGWh?\b|기가와트|\bgigawatt/i,
    /\bMWh?\b|메가와트|\bmegawatt/i,
    /\bkWh?\b|킬로와트|\bkilowatt/i,
    /\bW\b|\bwatts?\b/,
  ],
  [/\bGHz\b/i, /\bMHz\b/i, /\bkHz\b/i],
  [/°C|℃|섭씨|\bcelsius\b/i, /°F|℉|화씨|\bfahrenheit\b/i],
  [
    /%|퍼센트|\bper ?cent\b/i,
    /\d\/\d|\bout of\b|\bin (?:every )?(?:\d|two|three|four|five|ten)|분의|중|\bhalf\b|\bthirds?\b|\bquarters?\b|절반|basis points|\ball\b|모두|전부|전체/i,
  ],
  [
    /\d{1,2}:\d{2}|\d{1,2}시(?!간)/,
    /[ap]\.?m\b|오전|오후|정오|자정|\bnoon\b|\bmidnight\b|o['’]clock/i,
  ],
];
/** Words of what is rounded, or only bounded. */
export const ABOUT =
  /\b(?:about|around|approximately|roughly|some|nearly|almost|over|under|above|below|more than|less than|up to|close to|just|a little)\b|약|거의|대략|가량|정도|안팎|남짓|넘|이상|이하|미만|여\s/i;

/** Numbers that are written out in Korean are not read. */
const WRITTEN_OUT =
  /(?<![가-힣\d])[일이삼사오육칠팔구]?[십백천만][일이삼사오육칠팔구십백천만]*여?\s?(?:명|개|년|원|권|곳|번|가지|마리|대|미터|킬로|톤|세|퍼센트|달러)/;
/** "the 1990s", "1990년대", "the 20th century": a time, of which the evidence may name a year. */
const PERIOD = /^['’]?s\b|^년대|^(?:st|nd|rd|th)[\s-]centur|^세기/i;

/** A number of the sentence that stands nowhere in its evidence, where the sentence neither computes nor converts. */
export function foreignNumber(compared: Compared): string | undefined {
  const { sentence } = compared;
  const stated = numeralsOf(sentence).filter(
    ({ start, end, value, step }) =>
      !PERIOD.test(sentence.slice(end, end + 12)) &&
      !/[\p{L}_][-.]?$/u.test(sentence.slice(Math.max(0, start - 2), start)) &&
      (value > COUNTED || step < 1),
  );
  if (stated.length === 0 || COMPUTES.test(sentence)) return undefined;
  const evidence = evidenceOf(compared);
  const isTable = numeralsOf(evidence).length >= MAX_NUMERALS;
  if (isTable || WRITTEN_OUT.test(evidence) || converts(sentence, evidence))
    return undefined;
  const known = new Known(evidence);
  const isDated = RELATIVE.test(evidence);
  const found = stated.find(
    (one) => !known.has(one, ABOUT.test(sentence)) && !(isDated && isYear(one)),
  );
  return found && sentence.slice(found.start, found.end);
}

function isYear({ value, shown }: Numeral): boolean {
  return shown === value && value >= 1000 && value < 2200;
}

function converts(sentence: string, evidence: string): boolean {
  return UNITS.some((kind) =>
    kind.some(
      (unit) =>
        unit.test(evidence) &&
        !unit.test(sentence) &&
        kind.some((other) => other.test(sentence)),
    ),
  );
}

const POWERS = [10, 100, 1e3, 1e4, 1e6, 0.1, 0.01, 1e-3, 1e-4, 1e-6];

/** The numbers of a text, in each scale that it may have them in. */
class Known {
  private readonly values: ReadonlySet<number>;
  private readonly all: readonly number[];

  constructor(text: string) {
    this.values = new Set(valuesOf(text));
    this.all = [...this.values];
  }

  /** @param isAbout it may be rounded to its first digit, up or down. */
  has({ value, shown, step }: Numeral, isAbout: boolean): boolean {
    if (this.values.has(value) || this.isComputed(value)) return true;
    // In a larger or smaller unit: "4,800 mAh" is "4.8 Ah". A scale word is no unit.
    const isPlain = shown === value;
    if (
      isPlain &&
      POWERS.some((power) => this.values.has(exact(value * power)))
    )
      return true;
    const isPrecise = value / step >= 10;
    const room = isAbout ? step : isPrecise ? step / 2 : 0;
    return this.all.some((one) => Math.abs(one - value) <= room * 1.000001);
  }

  /** Sums, differences and products of two: which, its verifier says. */
  private isComputed(value: number): boolean {
    const has = (one: number): boolean => this.values.has(exact(one));
    return this.all.some(
      (one) =>
        has(value - one) || has(value + one) || (one > 1 && has(value / one)),
    );
  }
}
