/** A relative address leads back here, whichever of the two the text is read at. */
const HERE = ['https://here.invalid', 'http://here.invalid'];
/** Not of pages. */
const NOT_CITED = new Set(['mailto:', 'tel:', 'sms:']);

/** The absolute address that a resolved destination leads to; undefined if it stays within the text, or leads to no page. */
export function addressOf(destination: string): string | undefined {
  if (/^www\./i.test(destination)) return destination;
  for (const here of HERE) {
    if (!URL.canParse(destination, here)) return destination;
    const { origin, protocol, href } = new URL(destination, here);
    if (NOT_CITED.has(protocol)) return undefined;
    if (origin !== here) return href;
  }
  return undefined;
}
