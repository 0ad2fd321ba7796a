/** In US dollars. No call costs more, and sums of such amounts stay finite. */
const MAX_AMOUNT = 1_000_000;

/** Whether a value can be what a call cost: endpoints also report texts, negative and absurd numbers. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_AMOUNT;
}

/** No call has more tokens; what an endpoint reports beyond that is no count. */
const MAX_TOKENS = 1_000_000_000;

/** A count of tokens as an endpoint reports it; undefined if it is none. */
export function countIn(value: unknown): number | undefined {
  const isCount =
    Number.isInteger(value) &&
    Number(value) >= 0 &&
    Number(value) <= MAX_TOKENS;
  return isCount ? (value as number) : undefined;
}
