/** A relative address resolves to one of these, whichever scheme its page has. */
const HERE = ['https://here.invalid', 'http://here.invalid'];
/** Schemes that do not address a page. */
const NOT_CITED = new Set(['mailto:', 'tel:', 'sms:']);

/** The absolute address of a link destination; undefined if it is relative, or addresses no page. */
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
