import { ownTurn } from '../../../platform/own-turn';

const WORDS = 5;
const CHARACTERS = 20;
/** How much of a document is compared before other work gets its turn, in UTF-16 units. */
const SLICE = 65_536;
const CJK = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/gu;

/**
 * The queries that hold no passage of the private texts: five words in a row, or 20 characters where they are mostly
 * Chinese, Japanese or Korean. A passage that the caller's own question has is no secret of the texts.
 */
export async function withoutPassages(
  queries: readonly string[],
  texts: readonly string[],
  question: string,
): Promise<Set<string>> {
  const known = new Set(passages(question));
  const owners = new Map<string, string[]>();
  for (const query of queries)
    for (const passage of passages(query))
      if (!known.has(passage))
        owners.set(passage, [...(owners.get(passage) ?? []), query]);
  const allowed = new Set(queries);
  if (owners.size === 0) return allowed;
  for (const text of texts) {
    for (let at = 0; at < text.length; at += SLICE) {
      // The overlap holds the longest passage that begins in this slice.
      const slice = text.slice(at, at + SLICE + 1_000);
      for (const passage of passages(slice))
        owners.get(passage)?.forEach((query) => allowed.delete(query));
      await ownTurn();
    }
  }
  return allowed;
}

function* passages(text: string): Generator<string> {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  for (let at = 0; at + WORDS <= words.length; at += 1)
    yield words.slice(at, at + WORDS).join(' ');
  const characters = Array.from(words.join(''));
  for (let at = 0; at + CHARACTERS <= characters.length; at += 1) {
    const passage = characters.slice(at, at + CHARACTERS).join('');
    if ((passage.match(CJK)?.length ?? 0) * 2 > CHARACTERS) yield passage;
  }
}

/** A query as it may be sent: one line without addresses, at most 300 characters. Empty if nothing is left. */
export function tidyQuery(query: string): string {
  return query
    .replace(/\b(?:https?|ftp):\/\/\S+/gi, ' ')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed();
}
