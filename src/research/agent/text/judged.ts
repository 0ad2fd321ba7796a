import type { Compared } from '../../../sources/evidence/compared';
import { isComputed, isNamed, isShown } from '../../../sources/evidence/proof';
import type { AgentRun } from '../agent-run';
import type { BoundSentence, Note, ReadSource } from '../agent.types';
import { cut } from '../prompts/prompt';
import type { Finding, Judgement } from '../prompts/verify.prompt';

/** The name of the model that judges sentences; undefined where none is asked. */
export function verifierOf(run: AgentRun): string | undefined {
  const { verify } = run.task;
  const isAsked = verify === 'check' || verify === 'enforce';
  return isAsked ? run.model('verifier').name : undefined;
}

/** Quotes of one place of a page. */
export interface Passage {
  /** Host and path of the page, which name a document whose title is that of a chapter. */
  from?: string;
  /** Title of the page and headings. */
  under: string;
  /** The sentence before. */
  before: string;
  quotes: string[];
}

/** A sentence that a verifier is asked about. */
export interface Asked {
  id: string;
  text: string;
  kind: 'fact' | 'judgement';
  passages: readonly Passage[];
}

/**
 * The quotes of notes with what they stand under. Those that follow each other in one place are one passage.
 * @param sources of the run, for a judge: a comparison of texts must not find its numbers in addresses.
 */
export function passagesOf(
  notes: readonly Note[],
  sources: readonly Pick<ReadSource, 'url'>[] = [],
): Passage[] {
  const passages: Passage[] = [];
  const inOrder = notes.toSorted(
    (a, b) => a.source - b.source || a.start - b.start,
  );
  for (const note of inOrder) {
    const { source, before = '', quote } = note;
    const from = addressOf(sources[source - 1]?.url);
    const under = standsUnder(note);
    const last = passages.at(-1);
    const isSame =
      last?.under === under &&
      last.from === from &&
      (before === last.before ||
        last.quotes.some((one) => one.includes(before)));
    if (isSame) last.quotes.push(quote);
    else
      passages.push({ ...(from && { from }), under, before, quotes: [quote] });
  }
  return passages;
}

/** Title and date of the page, and the headings of the quote. */
export function standsUnder({ title, headings = [], date }: Note): string {
  return [title, ...headings, ...(date ? [date] : [])].join(' › ');
}

const MAX_ADDRESS = 120;

/** None of a document or a private file. */
function addressOf(url?: string): string | undefined {
  if (!url || !/^https?:/i.test(url)) return undefined;
  const { host, pathname } = new URL(url);
  return cut(`${host}${pathname}`, MAX_ADDRESS);
}

export type Judged = Required<
  Pick<BoundSentence, 'verdict' | 'checkedBy' | 'detail'>
>;

export function comparedOf({
  text,
  passages,
}: Pick<Asked, 'text' | 'passages'>): Compared {
  return {
    sentence: text,
    heading: passages
      .flatMap(({ from, under }) => [under, ...(from ? [from] : [])])
      .join('\n'),
    before: passages.map(({ before }) => before).join('\n'),
    quotes: passages.flatMap(({ quotes }) => quotes),
  };
}

/** A line of the block `sentences`: the evidence first. */
export function judgedLine({ id, text, kind, passages }: Asked): string {
  return JSON.stringify({
    id,
    passages: passages.map(({ from, under, before, quotes }) => ({
      ...(from && { from }),
      under,
      ...(before && { before }),
      quotes,
    })),
    kind,
    sentence: text,
  });
}

const VERDICTS = {
  supported: 'supported',
  arithmetic: 'derived',
  follows: 'judgement',
  needs_context: 'partly_supported',
  contradicted: 'contradicted',
  not_stated: 'unsupported',
} as const satisfies Record<Finding, BoundSentence['verdict']>;

/** What an answer comes to once what it shows was looked up; undefined where that stands nowhere, or is miscalculated. */
export function judged(
  { verdict, words, differs, expression }: Judgement,
  compared: Compared,
): Judged | undefined {
  const isAgainst = verdict === 'contradicted' || verdict === 'not_stated';
  const isProved = isAgainst
    ? isNamed(differs, compared) || isShown(words, compared)
    : isShown(words, compared) &&
      (verdict !== 'arithmetic' || isComputed(expression, compared));
  if (!isProved) return undefined;
  return {
    verdict: VERDICTS[verdict],
    checkedBy: 'model',
    detail: verdict === 'arithmetic' ? expression : differs,
  };
}

/** The block `faults` of sentences that are asked about once more. */
export function notShown(asked: readonly Asked[]): readonly ['faults', string] {
  const fault =
    'There was no usable answer: words and differs must stand in the data letter by letter, and an expression must have numbers of the quotes and give a number of the sentence.';
  return [
    'faults',
    asked.map(({ id }) => JSON.stringify({ id, fault })).join('\n'),
  ];
}
