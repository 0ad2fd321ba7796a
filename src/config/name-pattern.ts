/** Whether a pattern matches a name: `gpt-oss*` matches all that begin so. */
export function covers(pattern: string, name: string): boolean {
  return pattern.endsWith('*')
    ? name.startsWith(pattern.slice(0, -1))
    : pattern === name;
}

/** The pattern that matches the name most precisely: the name itself, else the longest that matches. */
export function bestPattern(
  patterns: Iterable<string>,
  name: string,
): string | undefined {
  let best: string | undefined;
  for (const pattern of patterns) {
    if (pattern === name) return pattern;
    const longer = best === undefined || pattern.length > best.length;
    if (longer && covers(pattern, name)) best = pattern;
  }
  return best;
}
