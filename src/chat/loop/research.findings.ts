import type { ModelAnswer } from '../../llm/model.types';
import {
  type Citation,
  codePoints,
  distinctSources,
  moved,
  type Source,
} from '../../message/citation';
import type { CompletedToolCall } from '../tools/tool-call';

/** Between the reports of several researches. */
export const BETWEEN = '\n\n';

/**
 * What a reply rests on. Citations are places of the research summary where there is one, else of the answer that a model
 * gave with a search of its own; sources are those of both.
 */
export function foundBy(
  researches: readonly CompletedToolCall[],
  answer: Pick<ModelAnswer, 'citations' | 'sources'> | null,
): { citations: Citation[] | null; sources: Source[] | null } {
  const reports = reportsOf(researches);
  const sources = reports.flatMap((one) => one.sources ?? []);
  return {
    citations: orNull(
      reports.length > 0 ? citationsOf(reports) : answer?.citations,
    ),
    sources: orNull(distinctSources([...sources, ...(answer?.sources ?? [])])),
  };
}

/** Those that gave a text, each invocation once: a call that the model made twice is one. */
export function reportsOf(
  calls: readonly CompletedToolCall[],
): CompletedToolCall[] {
  const first = new Map(
    calls
      .filter(({ report }) => report !== undefined)
      .toReversed()
      .map((call) => [call.invocation?.id, call]),
  );
  return calls.filter((call) => first.get(call.invocation?.id) === call);
}

export function orNull<T>(items: readonly T[] | undefined): T[] | null {
  return items?.length ? [...items] : null;
}

function citationsOf(reports: readonly CompletedToolCall[]): Citation[] {
  let at = 0;
  return reports.flatMap(({ report = '', citations = [] }) => {
    const placed = moved(citations, at);
    at += codePoints(report) + BETWEEN.length;
    return placed;
  });
}
