import { datesOf } from './dates';
import { decimal, times, type Decimal } from './decimal';
import { numeralsOf, withAsciiDigits } from './numerals';
import type { NumberQuantity, Quantity } from './quantity';
import { withRanges } from './ranges';
import { spelledNumbers } from './spelled';
import { CURRENCY_BEFORE, currencyOf, unitAfter } from './units';

const BEFORE_EN: readonly [NumberQuantity['bound'], RegExp][] = [
  [
    'min',
    /\b(?:more than|greater than|no less than|not less than|no fewer than|over|above|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|at least|a minimum of|upwards of)\s$/i,
  ],
  [
    'max',
    /\b(?:less than|fewer than|no more than|not more than|under|below|up to|at most|a maximum of)\s$/i,
  ],
  [
    'about',
    /(?:\b(?:about|around|approximately|approx\.|roughly|some|nearly|almost|circa|close to|an estimated|estimated)\s|(?<!\d\s?)~)$/i,
  ],
  ['about', /(?:약|대략|거의|어림잡아)\s?$/],
  ['min', /(?:최소|적어도|최소한)\s?$/],
  ['max', /(?:최대|많아야)\s?$/],
];
const AFTER: readonly [NumberQuantity['bound'], RegExp][] = [
  [
    'min',
    /^(?:\+(?!\d)|\s?(?:이상|초과|을 넘|를 넘|이 넘|가 넘|\s?or more\b|\s?and above\b))/,
  ],
  ['max', /^\s?(?:이하|미만|이내|or less\b|or fewer\b)/],
  ['about', /^\s?(?:가량|정도|쯤|안팎|내외|여(?=\s|[가-힣]))/],
];
const OPAQUE = /[^\p{ASCII}\uff10-\uff19]/u;

/** The numbers, dates and other numerals of a text, in order. Read from the text as it stands, before any folding. */
export function quantitiesOf(original: string): Quantity[] {
  const text = withAsciiDigits(original);
  const found: Quantity[] = [];
  const taken = new Uint8Array(text.length);
  const add = (one: Quantity): void => {
    if (taken.subarray(one.start, one.end).includes(1)) return;
    taken.fill(1, one.start, one.end);
    found.push(one);
  };
  datesOf(text).forEach(add);
  for (const { start, end, value, hasScale, isYearLike } of numeralsOf(text))
    add(
      value
        ? numberAt(text, start, end, value, !hasScale && isYearLike)
        : { kind: 'literal', ...literalAt(text, start, end) },
    );
  for (const { start, end, value } of spelledNumbers(text))
    add(numberAt(text, start, end, value, false));
  for (const match of text.matchAll(/\p{N}+/gu))
    if (OPAQUE.test(match[0]))
      add({
        kind: 'literal',
        start: match.index,
        end: match.index + match[0].length,
        text: match[0],
      });
  return withRanges(
    text,
    found.sort((left, right) => left.start - right.start),
  );
}

function literalAt(text: string, from: number, to: number) {
  const marks = /^\p{No}+/u.exec(text.slice(to, to + 8))?.[0] ?? '';
  const lead =
    /\p{No}+$/u.exec(text.slice(Math.max(0, from - 8), from))?.[0] ?? '';
  const unit = unitAfter(text.slice(to, to + 40));
  const start = from - lead.length;
  const end = to + marks.length;
  const suffix =
    marks === '' && unit && !unit.unit.isCounter ? unit.unit.name : '';
  return {
    start,
    end,
    text: `${text.slice(start, end).replace('’', "'")}${suffix}`,
  };
}

function numberAt(
  text: string,
  from: number,
  to: number,
  plain: Decimal,
  isYearLike: boolean,
): NumberQuantity {
  let [start, end] = [from, to];
  const currency = CURRENCY_BEFORE.exec(
    text.slice(Math.max(0, start - 6), start),
  );
  if (currency) start -= currency[0].length;
  const era = /기원전\s?$/.exec(text.slice(Math.max(0, start - 4), start));
  const sign = /(?:^|[\s(])([-−–])$/.exec(
    text.slice(Math.max(0, start - 2), start),
  );
  if (sign) start -= 1;
  let bound: NumberQuantity['bound'] = 'exact';
  const early = AFTER.find(([, pattern]) =>
    pattern.test(text.slice(end, end + 12)),
  );
  if (early?.[0] === 'about')
    [bound, end] = [
      'about',
      end + (early[1].exec(text.slice(end))?.[0].length ?? 0),
    ];
  const unit = currency ? undefined : unitAfter(text.slice(end, end + 40));
  if (unit) end += unit.length;
  const late = AFTER.find(([, pattern]) =>
    pattern.test(text.slice(end, end + 12)),
  );
  if (late)
    [bound, end] = [
      late[0],
      end + (late[1].exec(text.slice(end, end + 12))?.[0].length ?? 0),
    ];
  const head = text.slice(Math.max(0, start - 24), start);
  const before = BEFORE_EN.find(([, pattern]) => pattern.test(head));
  if (before) {
    bound = before[0];
    start -= before[1].exec(head)?.[0].length ?? 0;
  }
  const factor = unit?.unit.factor ?? decimal(1n, 0);
  const scaled = times(plain, factor);
  const measure = unit && !unit.unit.isCounter ? unit.unit.name : '';
  return {
    kind: 'number',
    start,
    end,
    value: sign ? decimal(-scaled.digits, scaled.exponent) : scaled,
    unit: currency ? currencyOf(currency[1]) : era ? 'bc' : measure,
    factor,
    counted: unit?.unit.isCounter ? unit.unit.name : '',
    bound,
    relation: relationOf(text, start, end),
    isYearLike: isYearLike && !currency && !unit && !era && !sign,
  };
}

/** The word that says how the number is reached: "from 5 % to 7 %", "5%에서 7%로". */
function relationOf(text: string, start: number, end: number): string {
  const english = /\b(from|to|by)\s$/i.exec(
    text.slice(Math.max(0, start - 6), start),
  )?.[1];
  if (english) return english.toLowerCase();
  const korean = /^(에서|부터|까지|으로|로)(?![가-힣])/.exec(
    text.slice(end, end + 3),
  )?.[1];
  if (korean === undefined) return '';
  return korean === '에서' || korean === '부터' ? 'from' : 'to';
}
