import { spelledNumbers } from './spelled';

/** A number of a text with its scale: "1억 2,000만", "5 million". */
export interface Numeral {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** What it shows without its scale; of a sum of scales, nothing. */
  readonly shown?: number;
  /** The step between it and the next number of as many digits: 0.1 of 4.9, 10 of 990. */
  readonly step: number;
  /** The same where zeros at its end count: 1 of 990. */
  readonly unit: number;
}

const SCALES: Record<string, number> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  mn: 1e6,
  billion: 1e9,
  bn: 1e9,
  trillion: 1e12,
  십: 10,
  백: 100,
  천: 1e3,
  만: 1e4,
  십만: 1e5,
  백만: 1e6,
  천만: 1e7,
  억: 1e8,
  십억: 1e9,
  백억: 1e10,
  천억: 1e11,
  조: 1e12,
};
const ENGLISH = 'hundred|thousand|million|billion|trillion|mn|bn';
const NUMERAL = new RegExp(
  String.raw`\d{1,24}(?:,\d{3}(?!\d)){0,8}(?:\.\d{1,24})?(?:[\s-]?(?:(${ENGLISH})s?\b|([십백천]?[만억]|조|[십백천](?=\s?\d|\s?[가-힣]))(?!분)))?`,
  'gi',
);
/** A scale that stands by itself, as above the columns of a table. */
const ALONE = new RegExp(
  String.raw`(?<!\d[\s-]?)\b(${ENGLISH})s?\b|(?<![\d가-힣]\s?)([십백천]?[만억]|[조천])\s?(?=[원달유엔명개톤대권a-z])`,
  'gi',
);

/** Texts with more of them are tables, in which none of them means anything by itself. */
export const MAX_NUMERALS = 500;

/** The first numbers of a text in their order. In one pass: a text of numbers alone takes no longer than another of its length. */
export function numeralsOf(text: string): Numeral[] {
  const found: Numeral[] = [];
  let lastScale = 1;
  for (const match of text.matchAll(NUMERAL)) {
    const [whole, english, korean] = match;
    const digits = /^[\d,.]*\d/.exec(whole)![0].replaceAll(',', '');
    const scale = SCALES[(english ?? korean ?? '').toLowerCase()] ?? 1;
    const shown = Number(digits);
    const value = exact(shown * scale);
    const start = match.index;
    const end = start + whole.length;
    const step = stepOf(digits) * scale;
    const unit = 10 ** -(digits.split('.')[1] ?? '').length * scale;
    const before = found.at(-1);
    // 1억 2,000만 is one number: each scale is smaller than the one before.
    const isPart =
      before !== undefined &&
      lastScale >= 1e3 &&
      /^\s?$/.test(text.slice(before.end, start)) &&
      value < lastScale &&
      isKorean(text, before.end);
    if (isPart) {
      found.pop();
      found.push({
        start: before.start,
        end,
        value: before.value + value,
        step,
        unit,
      });
    } else found.push({ start, end, value, shown, step, unit });
    if (found.length >= MAX_NUMERALS) break;
    lastScale = scale;
  }
  return found;
}

/** The numbers of a text, in digits and in words, each with and without its scale. */
export function valuesOf(text: string): number[] {
  const alone = scalesAlone(text);
  const inScales = (one: number): number[] =>
    alone.map((scale) => exact(one * scale));
  const numerals = numeralsOf(text).flatMap(({ value, shown = value }) => [
    value,
    shown,
    ...inScales(shown),
  ]);
  const words = spelledNumbers(text);
  return [...numerals, ...words, ...words.flatMap(inScales)];
}

/** The scales of a text that belong to no number: a table says once that it is in millions. */
function scalesAlone(text: string): number[] {
  return [...text.matchAll(ALONE)].map(
    ([, english, korean]) => SCALES[(english ?? korean).toLowerCase()],
  );
}

export function exact(value: number): number {
  return Number(value.toPrecision(12));
}

function isKorean(text: string, end: number): boolean {
  return /[십백천만억조]/.test(text[end - 1]);
}

function stepOf(digits: string): number {
  const [whole, fraction] = digits.split('.');
  if (fraction !== undefined) return 10 ** -fraction.length;
  const zeros = whole.length - whole.replace(/0+$/, '').length;
  return 10 ** Math.min(zeros, whole.length - 1);
}
