/** Whether a pattern matches a name: `gpt-oss*` matches all that begin so. */
export function covers(pattern: string, name: string): boolean {
  return pattern.endsWith('*')
    ? name.startsWith(pattern.slice(0, -1))
    : pattern === name;
}
