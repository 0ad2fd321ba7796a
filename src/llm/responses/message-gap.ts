/** What separates the text so far from the next message: a blank line. */
export function gapAfter(text: string): string {
  return text === '' || text.endsWith('\n\n') ? '' : '\n\n';
}
