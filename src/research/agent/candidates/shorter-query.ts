/** What a search engine reads as an order: `site:…`, `-word`, `OR`; brackets and quotes stay as spaces. */
const OPERATORS = /(?<!\S)(?:[a-z]+:\S+|-\S+|OR|AND|NOT)(?!\S)/g;
const MARKS = /["'“”‘’「」()[\]{}+*|~]/g;
/** A query keeps this share of its words, and two at least. */
const KEPT = 0.6;
const FEWEST = 2;

/**
 * The query as it is asked once more where it found nothing: without quotes and operators; where it has none, without the
 * words that tell least. Undefined: it cannot be made shorter.
 */
export function shorterQuery(query: string): string | undefined {
  const plain = words(query.replace(OPERATORS, ' ').replace(MARKS, ' '));
  if (plain.length === 0) return undefined;
  if (plain.join(' ') !== words(query).join(' ')) return plain.join(' ');
  const count = Math.max(FEWEST, Math.floor(plain.length * KEPT));
  if (count >= plain.length) return undefined;
  const kept = new Set(
    plain
      .map((word, at) => ({ at, weight: weightOf(word) }))
      .toSorted((a, b) => b.weight - a.weight || a.at - b.at)
      .slice(0, count)
      .map(({ at }) => at),
  );
  return plain.filter((_, at) => kept.has(at)).join(' ');
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** Names and numbers tell most, then long words. */
function weightOf(word: string): number {
  return word.length + (/[\p{Lu}\p{N}]/u.test(word) ? 100 : 0);
}
