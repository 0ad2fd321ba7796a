import type { Span } from '../text-spans';

/** Digits in groups, as people write them. Digits within a name or a decimal number are no group. */
const RUN = /(?<![A-Za-z\d_]|\d[.,])\d+(?:[ -]\d+)*(?![A-Za-z\d_])/g;
const [SHORTEST, LONGEST] = [13, 19];
/** Prefixes and lengths. */
const ISSUERS: [RegExp, lengths: number[]][] = [
  [/^4/, [13, 16, 19]], // Visa
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]], // Mastercard
  [/^3[47]/, [15]], // American Express
  [/^3(?:0[0-5]|[689])/, [14, 16, 17, 18, 19]], // Diners Club
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]], // JCB
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]], // Discover
  [/^62/, [16, 17, 18, 19]], // UnionPay
  [/^94/, [16]], // Korean cards for use in Korea
];

/** Card numbers, by issuer, length and checksum. */
export function findCards(text: string): Span[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index }) =>
    cardsOf(run).map(({ start, end }) => ({
      start: index + start,
      end: index + end,
    })),
  );
}

/** A run may hold other numbers too, such as the expiry date of the card. */
function cardsOf(run: string): Span[] {
  if (run.length < SHORTEST) return [];
  const groups = [...run.matchAll(/\d+/g)];
  const found: Span[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const start = groups[first].index;
    let digits = '';
    for (let last = first; last < groups.length; last += 1) {
      const [group] = groups[last];
      digits += group;
      // Smaller groups are days, months and counts.
      if (group.length < (last === first ? 4 : 3)) break;
      if (digits.length > LONGEST) break;
      if (!isCard(digits)) continue;
      found.push({ start, end: groups[last].index + group.length });
      first = last;
      break;
    }
  }
  return found;
}

function isCard(digits: string): boolean {
  return (
    ISSUERS.some(
      ([prefix, lengths]) =>
        lengths.includes(digits.length) && prefix.test(digits),
    ) && isLuhn(digits)
  );
}

function isLuhn(digits: string): boolean {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
