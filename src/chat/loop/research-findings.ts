import type { ModelAnswer } from '../../llm/turns/model.types';
import {
  type Citation,
  codePoints,
  distinctSources,
  moved,
  type Source,
} from '../../platform/message/citation';
import type { CompletedToolCall } from '../turns/tool-call';

/** Separates the reports of several research runs. */
export const REPORT_SEPARATOR = '\n\n';

/**
 * The citations and sources of a reply. Citations are positions in the research summary if there is one, else in the answer
 * of a model that searched the web itself; sources are those of both.
 */
export function foundBy(
  research: readonly CompletedToolCall[],
  answer: Pick<ModelAnswer, 'citations' | 'sources'> | null,
): { citations: Citation[] | null; sources: Source[] | null } {
  const reports = reportsOf(research);
  const sources = reports.flatMap((report) => report.sources ?? []);
  return {
    citations: orNull(
      reports.length > 0 ? citationsOf(reports) : answer?.citations,
    ),
    sources: orNull(distinctSources([...sources, ...(answer?.sources ?? [])])),
  };
}

/** The calls with a report, each run once: a repeated call has the run of the first. */
export function reportsOf(
  calls: readonly CompletedToolCall[],
): CompletedToolCall[] {
  const reported = calls.filter(({ report }) => report !== undefined);
  if (reported.length < 2) return reported;
  const first = new Map(
    reported.toReversed().map((call) => [call.invocation?.id, call]),
  );
  return reported.filter((call) => first.get(call.invocation?.id) === call);
}

export function orNull<T>(items: readonly T[] | undefined): T[] | null {
  return items?.length ? [...items] : null;
}

function citationsOf(reports: readonly CompletedToolCall[]): Citation[] {
  let offset = 0;
  return reports.flatMap(({ report = '', citations = [] }) => {
    const shifted = moved(citations, offset);
    offset += codePoints(report) + REPORT_SEPARATOR.length;
    return shifted;
  });
}
