import { distance } from 'fastest-levenshtein';

/** The known name that a misspelt one may stand for: at most one letter in six differs. Case does not count. */
export function nearestName(
  name: string,
  known: Iterable<string>,
): string | undefined {
  const given = name.toUpperCase();
  let best: { name: string; far: number } | undefined;
  for (const one of known) {
    if (Math.abs(one.length - given.length) > one.length / 6) continue;
    const far = distance(given, one.toUpperCase());
    if (far <= one.length / 6 && far < (best?.far ?? Infinity))
      best = { name: one, far };
  }
  return best?.name;
}
