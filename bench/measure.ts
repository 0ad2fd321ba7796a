/** Milliseconds on a clock that all processes of the machine share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.ceil((percent / 100) * sorted.length) - 1;
  return sorted[Math.max(0, rank)];
}

/** The median of the ratios of all rounds: a disturbance affects both halves of a round. */
export function medianRatio(
  ours: readonly number[],
  bare: readonly number[],
): number {
  return median(ours.map((value, i) => value / bare[i]));
}

/** Runs every variant once per round, so that slow minutes of the machine affect all alike. */
export async function interleave<K extends string, T>(
  rounds: number,
  variants: Record<K, () => Promise<T>>,
): Promise<Record<K, T[]>> {
  const names = Object.keys(variants) as K[];
  const results = Object.fromEntries(
    names.map((name) => [name, [] as T[]]),
  ) as Record<K, T[]>;
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) results[name].push(await variants[name]());
  }
  return results;
}

/** JIT-compiled code differs by up to 10 % between two processes of one program, so one process is no sample. */
const GENERATIONS = 3;

/** Measures in fresh processes several times, and joins the results. */
export async function generations<K extends string, T>(
  measure: () => Promise<Record<K, T[]>>,
): Promise<Record<K, T[]>> {
  const joined = await measure();
  for (let left = GENERATIONS - 1; left > 0; left -= 1) {
    const more = await measure();
    for (const name of Object.keys(more) as K[])
      joined[name].push(...more[name]);
  }
  return joined;
}
