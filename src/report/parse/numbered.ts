import type { GivenCitation, ReportCitation } from '../report.types';
import { cleanLine, cleanText, safeHref } from './clean';

/** A number and the place that it stands for, in code points of the text. */
export interface Mark {
  number: number;
  start: number;
  end: number;
  href: string | null;
  /** Where the sentence ends that a mark of the text, such as `[1]`, cites for. */
  place?: number;
}

/** Numbers citations in the order of the text. */
export function numbered(given: readonly GivenCitation[]): {
  citations: ReportCitation[];
  marks: Mark[];
} {
  const known = new Map<string, ReportCitation>();
  const marks: Mark[] = [];
  const placeOf = (one: GivenCitation): number =>
    one.sentence_end ?? one.end_index;
  const inOrder = [...given].sort(
    (a, b) => placeOf(a) - placeOf(b) || a.start_index - b.start_index,
  );
  for (const one of inOrder) {
    const { url, title, quote, source, verdict, detail, purged } = one;
    const key = JSON.stringify([
      url,
      title,
      quote,
      source,
      verdict,
      one.checked_by,
      detail,
      purged,
    ]);
    const citation = known.get(key) ?? citationOf(one, known.size + 1);
    known.set(key, citation);
    marks.push({
      number: citation.number,
      start: one.start_index,
      end: one.end_index,
      href: citation.href,
      ...(one.sentence_end !== undefined && { place: one.sentence_end }),
    });
  }
  return { citations: [...known.values()], marks };
}

function citationOf(given: GivenCitation, number: number): ReportCitation {
  const { url, title, quote, window, readAt, verdict, detail, purged } = given;
  const address = cleanLine(url);
  return {
    number,
    url: address,
    href: safeHref(address),
    title: cleanLine(title) || address,
    quote: (quote && cleanText(quote)) || null,
    window: (!purged && window && cleanText(window)) || null,
    read_at: readAt ?? null,
    verdict: (verdict && cleanLine(verdict)) || null,
    checked_by: (given.checked_by && cleanLine(given.checked_by)) || null,
    detail: (detail && cleanLine(detail)) || null,
    purged: purged === true,
  };
}
