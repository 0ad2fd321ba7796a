// By hand: number parsers know one locale, and none reads the Korean scales, or refuses what has two readings.
import { CURRENCY_BEFORE } from './units';
import { decimalOf, MAX_DIGITS, plus, times, type Decimal } from './decimal';

/** A numeral with its scale ("5 million", "1억 2,000만"); without a value where it has no single reading. */
export interface Numeral {
  readonly start: number;
  readonly end: number;
  readonly value?: Decimal;
  readonly hasScale: boolean;
  /** Four digits and nothing else. */
  readonly isYearLike: boolean;
}

/** Digits with what may stand between them. Full-width forms are ASCII here; see {@link withAsciiDigits}. */
const RUN = /\d(?:[\d.,'’:/\u00a0\u2009\u202f]{0,60}\d)?/g;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const SPACED = /^\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?$/;
const PLAIN = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const EN_SCALE =
  /^[\s-]?(?:(hundred|thousand|million|billion|trillion|mn|bn|tn)(?![A-Za-z])|([kKMB])(?![A-Za-z]))/;
/** "m" is a million after a currency sign, and metres elsewhere. */
const MONEY_SCALE = /^m(?![A-Za-z])/;
const KO_SCALE = /^\s?([십백천]?[만억조]|[십백천])(?!분|[간년])/;
const KO_NEXT =
  /^\s?(\d[\d,]{0,11}(?:\.\d{1,9})?)([십백천]?[만억조]|[십백천])?/;
const EN_VALUES: Record<string, string> = {
  hundred: '100',
  thousand: '1000',
  k: '1000',
  million: '1000000',
  mn: '1000000',
  m: '1000000',
  billion: '1000000000',
  bn: '1000000000',
  b: '1000000000',
  trillion: '1000000000000',
  tn: '1000000000000',
};
const KO_VALUES: Record<string, number> = {
  십: 1,
  백: 2,
  천: 3,
  만: 4,
  억: 8,
  조: 12,
};

/** Full-width digits and signs as ASCII, one for one: offsets stay. Circled digits and superscripts are left alone. */
export function withAsciiDigits(text: string): string {
  return text.replace(/[\uff10-\uff19\uff05\uff0c\uff0e]/g, (char) =>
    String.fromCharCode(char.charCodeAt(0) - 0xfee0),
  );
}

/** The numerals of a text with ASCII digits. Digits within a Latin word ("GPT-4", "x86") are part of a name. */
export function numeralsOf(text: string): Numeral[] {
  const found: Numeral[] = [];
  let free = 0;
  for (const match of text.matchAll(RUN)) {
    if (match.index < free) continue;
    if (
      /(?:[A-Za-z]|[A-Za-z]-)$/.test(
        text.slice(Math.max(0, match.index - 2), match.index),
      ) &&
      !isCode(text, match.index)
    )
      continue;
    const numeral = numeralAt(text, match.index, match[0]);
    found.push(numeral);
    free = numeral.end;
  }
  return found;
}

function isCode(text: string, at: number): boolean {
  return /(?:^|[^A-Za-z])(?:USD|KRW|EUR|GBP|JPY|CNY)$/.test(
    text.slice(Math.max(0, at - 4), at),
  );
}

function numeralAt(text: string, start: number, run: string): Numeral {
  const end = start + run.length;
  const bare = { start, end, hasScale: false, isYearLike: false };
  const value = valueOf(run);
  const isMarked =
    /\p{No}/u.test(text.slice(end, end + 1)) ||
    /\p{No}$/u.test(text.slice(Math.max(0, start - 1), start));
  if (value === undefined || isMarked) return bare;
  const rest = text.slice(end, end + 60);
  const before = text.slice(Math.max(0, start - 8), start);
  const isMoney = CURRENCY_BEFORE.test(before);
  const english =
    EN_SCALE.exec(rest) ?? (isMoney ? MONEY_SCALE.exec(rest) : null);
  const isArticle = text.slice(Math.max(0, start - 1), start) === '제';
  if (english) {
    const factor = EN_VALUES[(english[1] ?? english[2] ?? 'm').toLowerCase()];
    return {
      start,
      end: end + english[0].length,
      value: times(value, decimalOf(factor)),
      hasScale: true,
      isYearLike: false,
    };
  }
  if (!isArticle && KO_SCALE.test(rest))
    return koreanNumeral(start, end, value, rest);
  return {
    ...bare,
    value,
    isYearLike: /^[12]\d{3}$/.test(run) && mayBeYear(before, rest),
  };
}

/** "1000 phones" is a count; "in 1998 sales rose" and "1998, when" may be years. */
function mayBeYear(before: string, rest: string): boolean {
  return (
    /(?:^|[.!?(]\s?|\b(?:in|since|until|during|year)\s)$/i.test(before) ||
    !/^\s[a-z가-힣]/.test(
      rest.replace(
        /^\s(?:and|to|or|by|when|as|in|with|while|but|through|until|at|for|on)\b/,
        '',
      ),
    )
  );
}

/** Parts with falling scales, summed: 1억 2,000만 5백. */
function koreanNumeral(
  start: number,
  end: number,
  first: Decimal,
  rest: string,
): Numeral {
  const scale = KO_SCALE.exec(rest);
  let power = powerOf(scale?.[1] ?? '');
  let total = times(first, { digits: 1n, exponent: power });
  let used = scale?.[0].length ?? 0;
  for (
    let next = KO_NEXT.exec(rest.slice(used));
    next && power > 0;
    next = KO_NEXT.exec(rest.slice(used))
  ) {
    const own = powerOf(next[2] ?? '');
    const value = valueOf(next[1]);
    const isNext =
      value !== undefined &&
      own < power &&
      Number(next[1].replaceAll(',', '')) < 10 ** (power - own);
    if (
      !isNext ||
      /^\d/.test(rest.slice(used + next[0].length)) ||
      (next[2] === undefined &&
        /^[월일년]/.test(rest.slice(used + next[0].length)))
    )
      break;
    total = plus(total, times(value, { digits: 1n, exponent: own }));
    used += next[0].length;
    power = own;
  }
  return {
    start,
    end: end + used,
    value: total,
    hasScale: true,
    isYearLike: false,
  };
}

function powerOf(scale: string): number {
  return scale.split('').reduce((sum, char) => sum + (KO_VALUES[char] ?? 0), 0);
}

/** Undefined for decimal commas, versions, ratios, clock times, leading zeros: they have no single reading. */
function valueOf(run: string): Decimal | undefined {
  if (run.length > MAX_DIGITS) return undefined;
  if (GROUPED.test(run)) return decimalOf(run.replaceAll(',', ''));
  if (SPACED.test(run)) return decimalOf(run.replace(/[^\d.]/g, ''));
  return PLAIN.test(run) ? decimalOf(run) : undefined;
}
