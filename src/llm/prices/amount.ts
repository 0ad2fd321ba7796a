/** In US dollars. No call costs more, and sums of such amounts stay finite. */
const MAX_AMOUNT = 1_000_000;

/** Whether a value can be what a call cost: endpoints also report texts, negative and absurd numbers. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_AMOUNT;
}
