/** A range of a text that a source supports. */
export interface Citation {
  url: string;
  title: string;
  /** Offsets count Unicode code points: `Array.from(text).slice(start_index, end_index)`. */
  start_index: number;
  end_index: number;
}

/** A page that was consulted, whether or not the text cites it. The title is empty if none was given. */
export interface Source {
  url: string;
  title: string;
}

/** Shifts citations by the number of code points that were put in front of their text. */
export function moved(citations: readonly Citation[], by: number): Citation[] {
  return citations.map((citation) => ({
    ...citation,
    start_index: citation.start_index + by,
    end_index: citation.end_index + by,
  }));
}

/** Moves citations of `text` to where its trimmed text stands in `within`. Citations whose place is not there are dropped. */
export function located(
  citations: readonly Citation[],
  text: string,
  within: string,
): Citation[] {
  if (text === within) return [...citations];
  const bare = text.trim();
  const at = within.lastIndexOf(bare);
  if (at < 0) return [];
  const before = codePoints(within.slice(0, at));
  const shift = before - codePoints(text.slice(0, text.indexOf(bare)));
  const length = codePoints(within);
  return moved(citations, shift).filter(
    ({ start_index, end_index }) => start_index >= 0 && end_index <= length,
  );
}

/** Each page once, at its first position, with the first title that is not empty. */
export function distinctSources(sources: readonly Source[]): Source[] {
  const titles = new Map<string, string>();
  for (const { url, title } of sources)
    if (!titles.get(url)) titles.set(url, title);
  return [...titles].map(([url, title]) => ({ url, title }));
}

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
