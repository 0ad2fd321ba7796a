/** An exact decimal: `digits * 10 ** exponent`, without trailing zeros. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Longer numerals are identifiers. */
export const MAX_DIGITS = 30;

export function decimal(digits: bigint, exponent: number): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  let [left, power] = [digits, exponent];
  while (left % 10n === 0n) [left, power] = [left / 10n, power + 1];
  return { digits: left, exponent: power };
}

/** Of a plain numeral: digits with at most one point. */
export function decimalOf(numeral: string): Decimal {
  const [whole, fraction = ''] = numeral.split('.');
  return decimal(BigInt(whole + fraction), -fraction.length);
}

export function times(left: Decimal, right: Decimal): Decimal {
  return decimal(left.digits * right.digits, left.exponent + right.exponent);
}

export function plus(left: Decimal, right: Decimal): Decimal {
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = ({ digits, exponent: own }: Decimal): bigint =>
    digits * 10n ** BigInt(own - exponent);
  return decimal(scaled(left) + scaled(right), exponent);
}

export function isSame(left: Decimal, right: Decimal): boolean {
  return left.digits === right.digits && left.exponent === right.exponent;
}

export function asNumber({ digits, exponent }: Decimal): number {
  return Number(`${digits}e${exponent}`);
}

/** Whether `short` is `long` rounded to the digits that `short` shows. */
export function isRounding(short: Decimal, long: Decimal): boolean {
  if (short.exponent <= long.exponent) return false;
  const unit = 10n ** BigInt(short.exponent - long.exponent);
  if (unit.toString().length > MAX_DIGITS * 2) return false;
  const off = short.digits * unit - long.digits;
  return (off < 0n ? -off : off) * 2n <= unit;
}
