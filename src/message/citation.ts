/** A place of a text that rests on a source. */
export interface Citation {
  url: string;
  title: string;
  /** Unicode code points of the text: `Array.from(text).slice(start_index, end_index)`. */
  start_index: number;
  end_index: number;
}

/** A page that was consulted, cited or not. Its title is empty where nobody told it. */
export interface Source {
  url: string;
  title: string;
}

/** The same citations of a text that has so many code points more in front. */
export function moved(citations: readonly Citation[], by: number): Citation[] {
  return citations.map((citation) => ({
    ...citation,
    start_index: citation.start_index + by,
    end_index: citation.end_index + by,
  }));
}

/** Each page once, where it came first, with the first title that it was given. */
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
