import { isImplied } from './dates';
import { asNumber, isRounding, isSame } from './decimal';
import type { DateQuantity, NumberQuantity, Quantity } from './quantity';

/** `rounded`: the statement drops digits, or an "about", that the quote has. */
export type Agreement = 'same' | 'rounded' | 'differs';

/** Compares a number or date of a sentence with one of a quote. */
export function agreement(stated: Quantity, quoted: Quantity): Agreement {
  if (stated.kind === 'literal')
    return quoted.kind === 'literal' && stated.text === quoted.text
      ? 'same'
      : 'differs';
  if (stated.kind === 'number' && quoted.kind === 'number')
    return numbers(stated, quoted);
  const [left, right] = [asDate(stated), asDate(quoted)];
  return left && right && isImplied(left.date, right.date) ? 'same' : 'differs';
}

/** Whether a number could stand for the other one: the same kind of thing with another value. */
export function isRival(stated: Quantity, quoted: Quantity): boolean {
  if (stated.kind !== 'number' || quoted.kind !== 'number')
    return Boolean(asDate(stated) && asDate(quoted));
  if (stated.isYearLike !== quoted.isYearLike) return false;
  return stated.unit === quoted.unit && sameCount(stated, quoted);
}

function numbers(stated: NumberQuantity, quoted: NumberQuantity): Agreement {
  const isLike =
    stated.unit === quoted.unit &&
    sameCount(stated, quoted) &&
    stated.edge === quoted.edge;
  if (!isLike) return 'differs';
  if (!isSame(stated.value, quoted.value))
    return isRoundedTo(stated, quoted) ? 'rounded' : 'differs';
  if (stated.bound === quoted.bound || stated.bound === 'about')
    return quoted.bound === 'min' || quoted.bound === 'max'
      ? differsBy(stated, quoted)
      : 'same';
  return quoted.bound === 'about' && stated.bound === 'exact'
    ? 'rounded'
    : 'differs';
}

function differsBy(stated: NumberQuantity, quoted: NumberQuantity): Agreement {
  return stated.bound === quoted.bound ? 'same' : 'rounded';
}

/** At least two digits stay, or the sentence says "about". */
function isRoundedTo(stated: NumberQuantity, quoted: NumberQuantity): boolean {
  const digits = stated.value.digits.toString().replace('-', '').length;
  if (stated.bound !== 'about' && (stated.bound !== quoted.bound || digits < 2))
    return false;
  return isRounding(stated.value, quoted.value) && asNumber(stated.value) !== 0;
}

function sameCount(left: NumberQuantity, right: NumberQuantity): boolean {
  return (
    left.counted === right.counted ||
    left.counted === '' ||
    right.counted === ''
  );
}

/** Four bare digits may be a year, if the other side has a date. */
function asDate(quantity: Quantity): DateQuantity | undefined {
  if (quantity.kind === 'date') return quantity;
  if (
    quantity.kind !== 'number' ||
    !quantity.isYearLike ||
    quantity.bound !== 'exact'
  )
    return undefined;
  return {
    ...quantity,
    kind: 'date',
    date: { year: asNumber(quantity.value) },
  };
}
