/** The results in the order of the items, with at most `width` at once. After a failure nothing more begins, and what runs is awaited. */
export async function inLanes<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const at = next;
      next += 1;
      try {
        results[at] = await work(items[at], at);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = Array.from({ length: Math.min(width, items.length) }, lane);
  const outcomes = await Promise.allSettled(lanes);
  const rejected = outcomes.find(({ status }) => status === 'rejected');
  if (rejected) throw (rejected as PromiseRejectedResult).reason as Error;
  return results;
}
