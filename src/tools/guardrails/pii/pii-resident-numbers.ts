import type { Span } from '../text-spans';

const PATTERN =
  /(?<!\d|\d-|[A-Za-z_])(\d{6})( ?- ?| )?(\d{7})(?!\d|-\d|[A-Za-z_])/g;
/** Numbers issued since this date end in random digits. */
const RANDOM_SINCE = '2020-10-01';
const WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
const DAY_MS = 24 * 60 * 60 * 1000;

/** Korean resident registration numbers: `900101-1234568`. */
export function findResidentNumbers(text: string): Span[] {
  return [...text.matchAll(PATTERN)]
    .filter(([, birth, separator, rest]) =>
      isResidentNumber(birth, rest, separator !== undefined),
    )
    .map(({ 0: whole, index }) => ({
      start: index,
      end: index + whole.length,
    }));
}

function isResidentNumber(
  birth: string,
  rest: string,
  separated: boolean,
): boolean {
  const date = dateOf(birth, Number(rest[0]));
  if (date === undefined) return false;
  // Thirteen digits without a separator may be any number: they need a checksum, whatever their date.
  if (separated && date >= RANDOM_SINCE) return true;
  return hasChecksum(birth + rest);
}

/** The seventh digit encodes the century, the sex and whether the holder is a foreigner. */
function dateOf(birth: string, seventh: number): string | undefined {
  if (seventh === 0 || seventh === 9) return undefined;
  const century = [1, 2, 5, 6].includes(seventh) ? '19' : '20';
  const [year, month, day] = birth.match(/../g)!;
  const date = `${century}${year}-${month}-${day}`;
  const at = Date.parse(`${date}T00:00:00Z`);
  // Runtimes disagree about a day that the month does not have: some take it for a day of the next month.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date)
    return undefined;
  return at > Date.now() + DAY_MS ? undefined : date;
}

function hasChecksum(digits: string): boolean {
  const sum = WEIGHTS.reduce(
    (total, weight, at) => total + weight * Number(digits[at]),
    0,
  );
  const isForeigner = Number(digits[6]) >= 5;
  const check = ((isForeigner ? 13 : 11) - (sum % 11)) % 10;
  return check === Number(digits[12]);
}
