const LONGEST = 120;

/** A question as a heading: whole, or cut between words. */
export function shortText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST) return line;
  const cut = line.slice(0, LONGEST);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > LONGEST / 2 ? end : LONGEST).trimEnd()}…`;
}
