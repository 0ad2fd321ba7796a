import { distance } from 'fastest-levenshtein';

/** The known name that a misspelt one may mean: at most one letter in six differs. Case is ignored. */
export function nearestName(
  name: string,
  known: Iterable<string>,
): string | undefined {
  const given = name.toUpperCase();
  let best: { name: string; edits: number } | undefined;
  for (const one of known) {
    if (Math.abs(one.length - given.length) > one.length / 6) continue;
    const edits = distance(given, one.toUpperCase());
    if (edits <= one.length / 6 && edits < (best?.edits ?? Infinity))
      best = { name: one, edits };
  }
  return best?.name;
}
