/** Whether the JSON of a value has at most `max` characters and `levels` levels; stops at the first excess. */
export function fitsJson(value: object, levels: number, max: number): boolean {
  return (
    weightOf(value, levels, max) <= max && JSON.stringify(value).length <= max
  );
}

/** A lower bound of the length of the JSON. Stops counting once it exceeds `max`, or at more than `levels` of depth. */
function weightOf(value: unknown, levels: number, max: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (levels === 0) return Infinity;
  let sum = 1;
  for (const item of Object.values(value) as unknown[]) {
    sum += weightOf(item, levels - 1, max - sum);
    if (sum > max) break;
  }
  return sum;
}
