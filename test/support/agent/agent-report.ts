import { corpusPages } from '../../../sandbox/web/corpus-pages';

export interface CitationOnRecord {
  url: string;
  title: string;
  start_index: number;
  end_index: number;
  quote: string;
  source: number;
  verdict?: string;
}

export interface AgentRecord {
  output_text: string;
  citations: CitationOnRecord[];
  sources: { url: string; title: string }[];
}

/** Each citation selects its link by code points, and cites a page that the record lists. */
export function expectCitations({
  output_text,
  citations,
  sources,
}: AgentRecord): void {
  const points = Array.from(output_text);
  expect(citations.length).toBeGreaterThan(0);
  for (const { url, title, start_index, end_index, ...rest } of citations) {
    expect(points.slice(start_index, end_index).join('')).toBe(
      `([${title}](${url}))`,
    );
    expect(rest).toMatchObject({
      quote: expect.stringMatching(/\S/) as string,
      source: expect.any(Number) as number,
    });
    expect(sources).toContainEqual({ url, title });
  }
}

/** The sentence before a citation, without the links of others. */
export function citedSentence(
  { output_text, citations }: AgentRecord,
  { start_index }: CitationOnRecord,
): string {
  const points = Array.from(output_text);
  const before = citations
    .filter(({ end_index }) => end_index <= start_index)
    .map(({ end_index }) => end_index);
  const from = Math.max(0, ...before);
  const text = points.slice(from, start_index).join('').trim();
  return text.split('\n').at(-1)!.replace(/^- /, '');
}

/** Whether the page of the corpus at this address has the text; its form does not count. */
export function isOnPage(url: string, text: string): boolean {
  const path = new URL(url).pathname.replace(/\/hostile\/[a-z0-9-]+/, '');
  const { article } = corpusPages.get(path) ?? {};
  return folded(article?.paragraphs.join(' ') ?? '').includes(folded(text));
}

const folded = (text: string): string =>
  text.normalize('NFKC').replace(/\s+/g, ' ').trim();

/** What must not leave the process: addresses, keys, and the words of those that were called. */
export const INNARDS =
  /127\.0\.0\.1|localhost|169\.254|evil\.example|sk-[a-z]|Bearer|nginx|<html|Welcome|ECONN|Suspended|unresponsive/i;
