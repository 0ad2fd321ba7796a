import { type Compared, evidenceOf } from './compared';
import { exact } from './numbers';

const PERCENT =
  /(\d{1,9}(?:\.\d{1,6})?)\s?(?:%(?!\s?p|\s?포인트)|퍼센트(?!\s?포인트)|per ?cent(?!age))/gi;
const POINTS =
  /(\d{1,9}(?:\.\d{1,6})?)[\s-]?(?:%\s?p\b|%\s?포인트|퍼센트\s?포인트|percentage[\s-]points?)/gi;
const BASIS = /(\d{1,9})[\s-]?(?:basis points?|bps?\b|bp\b)/gi;
/** A rate that changes by so much. */
const CHANGES =
  /\b(?:by|up|down|rose|fell|gained|lost|raised|cut|increased?|decreased?|grew|dropped|lowered|lifted)\b|늘|줄|증가|감소|상승|하락|올랐|올렸|내렸|인상|인하|높아|낮아/i;

/** Percent in the place of percentage points, or points in the place of percent. */
export function percentForPoints(compared: Compared): string | undefined {
  const { sentence } = compared;
  const percent = [...sentence.matchAll(PERCENT)];
  const points = [...sentence.matchAll(POINTS)];
  if (percent.length + points.length === 0) return undefined;
  const evidence = evidenceOf(compared);
  const known = {
    percent: valuesIn(evidence, PERCENT),
    points: new Set([
      ...valuesIn(evidence, POINTS),
      ...[...evidence.matchAll(BASIS)].flatMap(([, basis]) => [
        Number(basis),
        exact(Number(basis) / 100),
      ]),
    ]),
  };
  const isChange = CHANGES.test(sentence);
  const wrong =
    percent.find(([, digits]) => {
      const value = Number(digits);
      const isPoints =
        known.points.has(value) ||
        (isChange &&
          isGap(value, known.percent) &&
          !isRatio(value, known.percent));
      return isPoints && !known.percent.has(value);
    }) ??
    points.find(([, digits]) => {
      const value = Number(digits);
      const isPercent = known.percent.has(value) && isChange;
      return (
        isPercent && !known.points.has(value) && !isGap(value, known.percent)
      );
    });
  return wrong?.[0];
}

function valuesIn(text: string, pattern: RegExp): Set<number> {
  return new Set(
    [...text.matchAll(pattern)].map(([, digits]) => Number(digits)),
  );
}

/** Whether two rates are so far apart. */
function isGap(value: number, rates: ReadonlySet<number>): boolean {
  return [...rates].some((one) => rates.has(exact(one + value)));
}

/** Whether a rate is another one changed by so many percent: "4 % to 5 %" is a rise by 25 percent. */
function isRatio(value: number, rates: ReadonlySet<number>): boolean {
  const all = [...rates].slice(0, 24);
  return all.some((from) =>
    all.some(
      (to) => from > 0 && Math.abs(Math.abs(to / from - 1) * 100 - value) < 0.5,
    ),
  );
}
