import type { Compared } from '../../../sources/evidence/compared';
import { flagsOf } from '../../../sources/evidence/flags';
import { isComputed, isNamed, isShown } from '../../../sources/evidence/proof';
import type { AgentRun } from '../agent-run';
import type { BoundSentence, Note } from '../agent.types';
import type { Finding, Judgement } from '../prompts/verify.prompt';

/** The name of the model that judges sentences; undefined where none is asked. */
export function verifierOf(run: AgentRun): string | undefined {
  const { verify } = run.task;
  const isAsked = verify === 'check' || verify === 'enforce';
  return isAsked ? run.model('verifier').name : undefined;
}

/** Quotes of one place of a page. */
export interface Passage {
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

/** The quotes of notes with what they stand under. Those that follow each other in one place are one passage. */
export function passagesOf(notes: readonly Note[]): Passage[] {
  const passages: Passage[] = [];
  const inOrder = notes.toSorted(
    (a, b) => a.source - b.source || a.start - b.start,
  );
  for (const { title, headings = [], date, before = '', quote } of inOrder) {
    const under = [title, ...headings, ...(date ? [date] : [])].join(' › ');
    const last = passages.at(-1);
    const isSame =
      last?.under === under &&
      (before === last.before ||
        last.quotes.some((one) => one.includes(before)));
    if (isSame) last.quotes.push(quote);
    else passages.push({ under, before, quotes: [quote] });
  }
  return passages;
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
    heading: passages.map(({ under }) => under).join('\n'),
    before: passages.map(({ before }) => before).join('\n'),
    quotes: passages.flatMap(({ quotes }) => quotes),
  };
}

/** A line of the block `sentences`: the evidence first. */
export function judgedLine(asked: Asked): string {
  const { id, text, kind, passages } = asked;
  const flags = flagsOf(comparedOf(asked));
  return JSON.stringify({
    id,
    passages: passages.map(({ under, before, quotes }) => ({
      under,
      ...(before && { before }),
      quotes,
    })),
    kind,
    sentence: text,
    ...(flags.length > 0 && {
      look_at: flags.map(({ flag, words }) => `${flag}: ${words}`),
    }),
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
