/** A range of a text that a source supports. */
export interface Citation {
  url: string;
  title: string;
  /** Offsets count Unicode code points: `Array.from(text).slice(start_index, end_index)`. */
  start_index: number;
  end_index: number;
  /** The sentence or table cell that cites, where the range above is that of its mark alone. */
  sentence_start?: number;
  sentence_end?: number;
}

/** A page that was consulted, whether or not the text cites it. The title is empty if none was given. */
export interface Source {
  url: string;
  title: string;
}

/** Shifts citations by the number of code points that were put in front of their text. */
export function moved<T extends Citation>(
  citations: readonly T[],
  by: number,
): T[] {
  return citations.map((one) => withPlaces(one, (index) => index + by));
}

/** The citation in a text in which each place has become another one. */
export function withPlaces<T extends Citation>(
  citation: T,
  moved: (index: number) => number,
): T {
  const { start_index, end_index, sentence_start, sentence_end } = citation;
  return {
    ...citation,
    start_index: moved(start_index),
    end_index: moved(end_index),
    ...(sentence_start !== undefined && {
      sentence_start: moved(sentence_start),
    }),
    ...(sentence_end !== undefined && { sentence_end: moved(sentence_end) }),
  };
}

/** The places of a text that show a source, each once: sentences may share a mark. */
export function shownPlaces<T extends Citation>(citations: readonly T[]): T[] {
  const places = citations.map((one): [string, T] => [
    `${one.start_index} ${one.end_index} ${one.url}`,
    one,
  ]);
  return [...new Map(places).values()];
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
