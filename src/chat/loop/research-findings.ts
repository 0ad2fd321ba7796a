import type { ModelAnswer } from '../../llm/turns/model.types';
import {
  type Citation,
  codePoints,
  distinctSources,
  moved,
  type Source,
} from '../../platform/message/citation';
import { numberedAfter } from '../../report/source-list';
import type { CompletedToolCall } from '../turns/tool-call';

/** Separates the reports of several research runs. */
const SEPARATOR = '\n\n';

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
      reports.length > 0 ? joined(reports).citations : answer?.citations,
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

/** The reports as one text, in which no two sources have the same number, and what cites in it. */
export function joined(reports: readonly CompletedToolCall[]): {
  text: string;
  citations: Citation[];
} {
  const texts: string[] = [];
  const found: Citation[] = [];
  let offset = 0;
  let last = 0;
  for (const { report = '', citations = [] } of reports) {
    const numbered = numberedAfter(last, report, citations);
    found.push(...moved(numbered.citations, offset));
    texts.push(numbered.text);
    offset += codePoints(numbered.text) + SEPARATOR.length;
    last = numbered.last;
  }
  return { text: texts.join(SEPARATOR), citations: found };
}
