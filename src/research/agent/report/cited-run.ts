import { codePoints } from '../../../platform/message/citation';
import type {
  AgentCitation,
  BoundSentence,
  Note,
  ReadSource,
} from '../agent.types';
import { inMarkdown } from '../text/clean-text';

/** Sources that one run of sentences shows. */
const MAX_MARKS = 3;

/** A text under construction, with what cites in it. Offsets count code points. */
export interface CitedText {
  text: string;
  citations: AgentCitation[];
}

export interface Cited {
  notes: ReadonlyMap<string, Note>;
  sources: readonly ReadSource[];
  /** Whether the text shows its sources. */
  links: boolean;
  /** The numbers that the text has for its sources, by theirs, in the order of their first marks. */
  numbers: Map<number, number>;
}

interface Span {
  start: number;
  end: number;
}

/** The numbers of the sources of a sentence, each once. */
export function sourcesOf(
  { noteIds }: BoundSentence,
  { notes }: Pick<Cited, 'notes'>,
): number[] {
  return [...new Set(noteIds.flatMap((id) => notes.get(id)?.source ?? []))];
}

/** Sentences of the same sources, and the marks of these: "It is old. It is high. [1], [2]". Each sentence cites all its notes. */
export function citedRun(
  run: readonly BoundSentence[],
  cited: Cited,
): CitedText {
  let text = '';
  const add = (piece: string): Span => {
    const start = codePoints(text);
    text += piece;
    return { start, end: codePoints(text) };
  };
  const spans = run.map((one, at) => {
    if (at > 0) add(' ');
    return add(inMarkdown(one.text));
  });
  const marks = new Map<number, Span>();
  const shown = cited.links ? sourcesOf(run[0], cited) : [];
  shown.slice(0, MAX_MARKS).forEach((source, at) => {
    add(at === 0 ? ' ' : ', ');
    marks.set(source, add(`[${numberOf(source, cited)}]`));
  });
  const citations = run.flatMap((sentence, at) =>
    citationsOf(sentence, spans[at], marks, cited),
  );
  return { text, citations };
}

/** Of a source that is not shown, at the last mark. */
function citationsOf(
  one: BoundSentence,
  sentence: Span,
  marks: ReadonlyMap<number, Span>,
  { notes, sources }: Cited,
): AgentCitation[] {
  return one.noteIds.flatMap((id) => {
    const note = notes.get(id);
    if (!note) return [];
    const { url, title } = sources[note.source - 1];
    const mark = marks.get(note.source) ?? [...marks.values()].at(-1);
    const { start, end } = mark ?? sentence;
    return {
      url,
      title,
      start_index: start,
      end_index: end,
      sentence_start: sentence.start,
      sentence_end: sentence.end,
      quote: note.quote,
      source: note.source,
      ...foundOf(one),
    };
  });
}

/** What was found of a sentence, as its citations have it. */
export function foundOf({
  verdict,
  checkedBy,
  detail,
}: BoundSentence): Pick<AgentCitation, 'verdict' | 'checked_by' | 'detail'> {
  return {
    ...(verdict && { verdict }),
    ...(checkedBy && { checked_by: checkedBy }),
    ...(detail && { detail }),
  };
}

function numberOf(source: number, { numbers }: Cited): number {
  const number = numbers.get(source) ?? numbers.size + 1;
  numbers.set(source, number);
  return number;
}
