/** Not allowed in XML, or without meaning in a text: control characters, noncharacters, and what reverses its direction. */
const UNWANTED =
  /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]|[\u{1fffe}-\u{1ffff}\u{2fffe}-\u{2ffff}\u{10fffe}-\u{10ffff}]/gu;
const MAX_HREF = 2_000;

/** Text that every format can hold. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNWANTED, '');
}

export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** The address of a link that a reader may follow; null for scripts, data, files, addresses within a page and disguised ones. */
export function safeHref(text: string): string | null {
  if (text.length > MAX_HREF || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  if (!/^(https?|mailto):$/.test(protocol) || username || password) return null;
  // Quotes and the like are legal in some parts of an address.
  return href
    .replace(
      /[\s"'<>\\^`{|}()[\]]/g,
      (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .slice(0, 3 * MAX_HREF);
}
