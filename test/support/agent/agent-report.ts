import { corpusPages } from '../../../sandbox/web/corpus-pages';

export interface CitationOnRecord {
  url: string;
  title: string;
  start_index: number;
  end_index: number;
  sentence_start: number;
  sentence_end: number;
  quote: string;
  source: number;
  verdict?: string;
}

export interface AgentRecord {
  output_text: string;
  citations: CitationOnRecord[];
  sources: { url: string; title: string }[];
}

/** Each citation selects its number by code points, which the text defines, and cites a page that the record lists. */
export function expectCitations({
  output_text,
  citations,
  sources,
}: AgentRecord): void {
  const points = Array.from(output_text);
  expect(citations.length).toBeGreaterThan(0);
  for (const { url, title, start_index, end_index, ...rest } of citations) {
    const mark = points.slice(start_index, end_index).join('');
    expect(mark).toMatch(/^\[\d+\]$/);
    expect(output_text).toContain(`\n${mark}: ${url}`);
    expect(rest).toMatchObject({
      quote: expect.stringMatching(/\S/) as string,
      source: expect.any(Number) as number,
      sentence_start: expect.any(Number) as number,
    });
    expect(sources).toContainEqual({ url, title });
  }
}

/** The sentence that a citation cites for. */
export function citedSentence(
  { output_text }: Pick<AgentRecord, 'output_text'>,
  { sentence_start, sentence_end }: CitationOnRecord,
): string {
  return Array.from(output_text).slice(sentence_start, sentence_end).join('');
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
