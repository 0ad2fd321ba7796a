import { codePoints } from '../../../platform/message/citation';
import type { AgentCitation } from '../agent.types';
import type { CitedText } from './cited-run';

type Range = readonly [start: number, end: number];

/**
 * The citations whose mark a guardrail has left, where it stands now. A sentence that it has changed has no range any more.
 * Sentences are found first, for marks are alike: one that is gone must not be found at the next.
 */
export function relocated(cited: CitedText, text: string): AgentCitation[] {
  if (text === cited.text) return cited.citations;
  const points = Array.from(cited.text);
  const places = new Map<string, number>();
  const find = (ranges: readonly Range[], known: readonly Range[]): void => {
    let from = 0;
    for (const [start, end] of inOrder(ranges)) {
      const before = known.findLast((one) => one[1] <= start);
      const after = known.find((one) => one[0] >= end);
      const least = before ? places.get(keyOf(before))! : 0;
      const most = after ? places.get(keyOf(after))! : text.length;
      const range = points.slice(start, end).join('');
      const at = text.indexOf(range, Math.max(from, least));
      if (at < 0 || at + range.length > most) continue;
      places.set(keyOf([start, end]), at);
      from = at + range.length;
    }
  };
  const sentences = inOrder(cited.citations.map(sentenceOf));
  find(sentences, []);
  const found = sentences.filter((one) => places.has(keyOf(one)));
  const marks = cited.citations.map(markOf);
  find(
    marks.filter((one) => !places.has(keyOf(one))),
    found,
  );
  const moved = (range: Range): Range | undefined => {
    const at = places.get(keyOf(range));
    if (at === undefined) return undefined;
    const start = codePoints(text.slice(0, at));
    return [start, start + range[1] - range[0]];
  };
  return cited.citations.flatMap((citation) => {
    const mark = moved(markOf(citation));
    if (!mark) return [];
    const { sentence_start: _start, sentence_end: _end, ...rest } = citation;
    const sentence = moved(sentenceOf(citation));
    return {
      ...rest,
      start_index: mark[0],
      end_index: mark[1],
      ...(sentence && {
        sentence_start: sentence[0],
        sentence_end: sentence[1],
      }),
    };
  });
}

const markOf = ({ start_index, end_index }: AgentCitation): Range => [
  start_index,
  end_index,
];

const sentenceOf = (citation: AgentCitation): Range => [
  citation.sentence_start ?? citation.start_index,
  citation.sentence_end ?? citation.end_index,
];

const keyOf = ([start, end]: Range): string => `${start}:${end}`;

function inOrder(ranges: readonly Range[]): Range[] {
  const distinct = new Map(ranges.map((one) => [keyOf(one), one]));
  return [...distinct.values()].toSorted((a, b) => a[0] - b[0]);
}
