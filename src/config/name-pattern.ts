/** Whether a name of a list means this one: `gpt-oss*` is all that begin so. */
export function covers(pattern: string, name: string): boolean {
  return pattern.endsWith('*')
    ? name.startsWith(pattern.slice(0, -1))
    : pattern === name;
}
