import { asNumber } from './numbers/decimal';
import type { NumberQuantity, Quantity } from './numbers/quantity';
import type { Statement } from './statement';

/** Pairs of numbers are tried; more numbers than this are not. */
const MAX_OPERANDS = 24;
const CUES =
  /\b(?:total|totals|totalling|totaling|together|combined|sum|altogether|difference|differ|gap|more|less|fewer|higher|lower|ratio|times|twice|average|mean|percentage|percent|share|rise|rose|increase|increased|grew|growth|fell|decline|decreased?|between|over)\b|합계|합쳐|합치|합산|모두|총|차이|격차|보다|배|비율|비중|평균|증가|감소|늘|줄|퍼센트|%/i;

/** The numbers of a sentence that are a sum, difference, ratio, share or mean of numbers in the quote, where the sentence says that it computes. */
export function computedIn(
  sentence: Statement,
  missing: readonly Quantity[],
  quote: Statement,
): ReadonlySet<Quantity> {
  const { steps } = sentence;
  if (!CUES.test(sentence.text)) return new Set();
  const operands = quote.quantities
    .filter((one) => one.kind === 'number')
    .slice(0, MAX_OPERANDS);
  return new Set(
    missing.filter((one) => {
      if (one.kind !== 'number') return false;
      steps.take(16 * operands.length ** 2);
      return isComputed(one, operands);
    }),
  );
}

function isComputed(
  stated: NumberQuantity,
  operands: readonly NumberQuantity[],
): boolean {
  const value = asNumber(stated.value);
  const isIt = (result: number): boolean =>
    Math.abs(result - value) <= tolerance(stated);
  const alike = operands.filter(
    ({ unit, isYearLike }) => unit === stated.unit && !isYearLike,
  );
  const sum = alike.reduce((total, one) => total + asNumber(one.value), 0);
  if (alike.length > 1 && (isIt(sum) || isIt(sum / alike.length))) return true;
  return operands.some((left) =>
    operands.some(
      (right) =>
        left !== right &&
        left.unit === right.unit &&
        results(stated, left, right).some(isIt),
    ),
  );
}

function results(
  { unit }: NumberQuantity,
  left: NumberQuantity,
  right: NumberQuantity,
): number[] {
  const [a, b] = [asNumber(left.value), asNumber(right.value)];
  const isYears = left.isYearLike && right.isYearLike;
  if (
    unit === left.unit ||
    (unit === 'pp' && left.unit === '%') ||
    (unit === 'year' && isYears)
  )
    return [a + b, a - b, (a + b) / 2];
  if (b === 0) return [];
  if (unit === 'fold') return [a / b];
  return unit === '%' ? [(a / b) * 100, Math.abs((a - b) / b) * 100] : [];
}

/** Half a unit of the last digit that is shown; "about" allows a twentieth. */
function tolerance({ value, bound }: NumberQuantity): number {
  const shown =
    asNumber({ digits: 1n, exponent: Math.min(0, value.exponent) }) / 2;
  return bound === 'about'
    ? Math.max(shown, Math.abs(asNumber(value)) / 20)
    : shown;
}
