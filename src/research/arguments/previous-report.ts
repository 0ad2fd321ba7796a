import type { Source } from '../../platform/message/citation';

/** An earlier report that a question follows up. */
export interface PreviousReport {
  question: string;
  paragraphs: string[];
  sources: Source[];
  /** It may hold what must not be sent to a search of the web. */
  private: boolean;
}

/** As models see it. */
export function previousText(report: Omit<PreviousReport, 'private'>): string {
  const { question, paragraphs, sources } = report;
  const listed = sources.map(({ url, title }) => `- ${title} (${url})`);
  return [
    `Question: ${question}`,
    ...paragraphs,
    ...(listed.length > 0 ? [`Sources:\n${listed.join('\n')}`] : []),
  ].join('\n\n');
}

/** The same without paragraphs from the end, then without sources, until it fits; undefined if even the question does not. */
export function fittingPrevious(
  report: PreviousReport,
  fits: (text: string) => boolean,
): string | undefined {
  let { paragraphs, sources } = report;
  for (;;) {
    const text = previousText({ ...report, paragraphs, sources });
    if (fits(text)) return text;
    if (paragraphs.length > 1) paragraphs = paragraphs.slice(0, -1);
    else if (sources.length > 0) sources = sources.slice(0, -1);
    else if (paragraphs.length > 0) paragraphs = [];
    else return undefined;
  }
}
