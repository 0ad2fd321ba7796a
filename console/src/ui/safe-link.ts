/** An address that a reader may follow; null for scripts, data and the like. */
export function safeLink(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return /^(https?|mailto):$/.test(protocol) ? href : null;
}
