import { decimalOf, type Decimal } from './decimal';

/** A unit's canonical name, the factor to it, and whether it only counts things. */
export interface Unit {
  readonly name: string;
  readonly factor: Decimal;
  readonly isCounter: boolean;
}

/** Name, factor, spellings between slashes. One with a trailing `*` ends where its word ends. */
const MEASURES: readonly [string, string, string][] = [
  [
    'pp',
    '1',
    '%p/%포인트/퍼센트포인트/퍼센트 포인트/percentage points?*/percentage-points?*/pp*',
  ],
  ['%', '1', '%/퍼센트/percent*/per cent*'],
  ['‰', '1', '‰'],
  [
    'USD',
    '1',
    '미국 달러/미 달러/달러/US dollars?*/U\\.S\\. dollars?*/dollars?*/USD*/bucks*',
  ],
  ['KRW', '1', '원/South Korean won*/Korean won*/won*/KRW*'],
  ['EUR', '1', '유로/euros?*/EUR*/€'],
  ['GBP', '1', 'GBP*/pounds sterling*'],
  ['JPY', '1', '엔/yen*/JPY*'],
  ['CNY', '1', '위안/yuan*/RMB*/CNY*'],
  ['m', '1000', '킬로미터/kilomet(?:er|re)s?*/km*/㎞'],
  ['m', '0.01', '센티미터/centimet(?:er|re)s?*/cm*/㎝'],
  ['m', '0.001', '밀리미터/millimet(?:er|re)s?*/mm*/㎜'],
  ['m', '1', '미터/met(?:er|re)s?*/m*'],
  ['mile', '1', '마일/miles?*'],
  ['foot', '1', '피트/feet*/foot*/ft*'],
  ['m2', '1', '제곱미터/square met(?:er|re)s?*/㎡/m²'],
  ['km2', '1', '제곱킬로미터/square kilomet(?:er|re)s?*/㎢/km²'],
  ['hectare', '1', '헥타르/hectares?*/ha*'],
  ['acre', '1', '에이커/acres?*'],
  ['g', '1000', '킬로그램/kilograms?*/kilos?*/kg*/㎏'],
  ['g', '0.001', '밀리그램/milligrams?*/mg*/㎎'],
  ['g', '1', '그램/grams?*/g*'],
  ['ton', '1', '톤/tonnes?*/tons?*/t*'],
  ['pound', '1', '파운드/pounds?*/lbs?*'],
  ['l', '0.001', '밀리리터/millilit(?:er|re)s?*/ml*/mL*/㎖'],
  ['l', '1', '리터/lit(?:er|re)s?*/L*'],
  ['TB', '1', '테라바이트/terabytes?*/TB*'],
  ['GB', '1', '기가바이트/gigabytes?*/GB*'],
  ['MB', '1', '메가바이트/megabytes?*/MB*'],
  ['kB', '1', '킬로바이트/kilobytes?*/kB*/KB*'],
  ['GiB', '1', 'GiB*'],
  ['MiB', '1', 'MiB*'],
  ['byte', '1', '바이트/bytes?*'],
  ['bit', '1', '비트/bits?*'],
  ['Wh', '1000000000', '기가와트시/GWh*'],
  ['Wh', '1000000', '메가와트시/MWh*'],
  ['Wh', '1000', '킬로와트시/kWh*'],
  ['Wh', '1000000000000', '테라와트시/TWh*'],
  ['W', '1000000000', '기가와트/gigawatts?*/GW*'],
  ['W', '1000000', '메가와트/megawatts?*/MW*'],
  ['W', '1000', '킬로와트/kilowatts?*/kW*'],
  ['W', '1', '와트/watts?*/W*'],
  ['V', '1', '볼트/volts?*/V*'],
  ['Hz', '1000000000', '기가헤르츠/GHz*'],
  ['Hz', '1000000', '메가헤르츠/MHz*'],
  ['Hz', '1', '헤르츠/hertz*/Hz*'],
  ['°C', '1', '°C/℃/도씨/degrees Celsius*/degrees centigrade*'],
  ['°F', '1', '°F/℉/degrees Fahrenheit*'],
  ['°', '1', '°/도(?![가-힣]{2})/degrees?*'],
  ['ms', '1', '밀리초/milliseconds?*/ms*'],
  ['s', '3600', '시간/hours?*/hrs?*/h*'],
  ['s', '60', '분(?!기)/minutes?*/mins?*'],
  ['s', '1', '초(?!등|반)/seconds?*/secs?*/s*'],
  ['day', '7', '주(?:일)?(?!년|기|요|장|로)/weeks?*'],
  ['day', '1', '일(?!본|부|반)/days?*'],
  ['month', '1', '개월/달(?!러)/months?*'],
  ['year', '1', '년/years?*/yrs?*'],
  ['age', '1', '세(?!기|대|트)/살/years old*/years of age*'],
  ['floor', '1', '층/floors?*/stor(?:ies|eys|y|ey)*'],
  ['bc', '1', 'BCE?*'],
  ['fold', '1', '배(?!럴|송)/-?fold*/x*/×'],
  ['grade', '1', '위(?!안|원)/등(?!록|급)'],
];
const COUNTERS: readonly [string, string][] = [
  ['person', '명/인(?!치|도|상)/사람/people*/persons?*'],
  ['item', '개(?!월|국)/items?*/pieces?*'],
  ['country', '개국/countries*/country*/nations?*'],
  ['time', '번/회(?!사|원|의)/차례/times*'],
  ['kind', '가지/종(?!류|목)/kinds?*/types?*'],
  ['place', '곳/places?*/locations?*'],
  ['animal', '마리'],
  ['machine', '대(?!학|표)'],
  ['volume', '권(?!리|한)/volumes?*/books?*'],
  ['glass', '잔/cups?*/glasses*'],
  ['case', '건(?!물|설)/cases?*'],
  ['house', '채/가구/households?*'],
  ['point', '점/points?*'],
  ['page', '쪽/페이지/pages?*'],
];

/** Symbols and codes in front of the numeral. */
export const CURRENCY_BEFORE =
  /(US\$|U\.S\.\$|\$|USD|₩|KRW|￦|€|EUR|£|GBP|¥|￥|JPY|CNY)\s?$/;
const CURRENCIES: Record<string, string> = {
  US$: 'USD',
  'U.S.$': 'USD',
  $: 'USD',
  '₩': 'KRW',
  '￦': 'KRW',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '￥': 'JPY',
};

export function currencyOf(symbol: string): string {
  return CURRENCIES[symbol] ?? symbol;
}

interface Spelling {
  readonly pattern: RegExp;
  readonly unit: Unit;
}

const SPELLINGS: readonly Spelling[] = [
  ...MEASURES.map(([name, factor, forms]) =>
    spelling(name, factor, forms, false),
  ),
  ...COUNTERS.map(([name, forms]) => spelling(name, '1', forms, true)),
];

function spelling(
  name: string,
  factor: string,
  forms: string,
  isCounter: boolean,
): Spelling {
  const bounded = forms
    .split('/')
    .map((form) =>
      form.endsWith('*') ? `${form.slice(0, -1)}(?![A-Za-z\\d])` : form,
    );
  return {
    pattern: new RegExp(`^[\\s-]?(?:${bounded.join('|')})`),
    unit: { name, factor: decimalOf(factor), isCounter },
  };
}

/** What begins with none of them, as in a table of numbers, is not compared with each. */
const ANY = new RegExp(
  SPELLINGS.map(({ pattern }) => pattern.source).join('|'),
);

/** The unit at the beginning of what follows a numeral: the longest spelling. */
export function unitAfter(
  rest: string,
): { unit: Unit; length: number } | undefined {
  if (!ANY.test(rest)) return undefined;
  let best: { unit: Unit; length: number } | undefined;
  for (const { pattern, unit } of SPELLINGS) {
    const length = pattern.exec(rest)?.[0].length ?? 0;
    if (length > (best?.length ?? 0)) best = { unit, length };
  }
  return best;
}
