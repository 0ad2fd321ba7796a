import type { JudgedPair } from './judge';
import { directionOf, isHonest } from './pairs';

/** Verdicts of sentences that hold. */
export const ACCEPTED: ReadonlySet<string> = new Set([
  'quote_matched',
  'supported',
  'derived',
  'judgement',
]);

export interface Figures {
  honest: number;
  honestAccepted: number;
  /** True of their quotes, said to lack context. */
  honestPartly: number;
  false: number;
  falseAccepted: number;
  unchecked: number;
}

export function figuresOf(all: readonly JudgedPair[]): Figures {
  const [honest, others] = [true, false].map((is) =>
    all.filter(({ pair }) => isHonest(pair) === is),
  );
  const accepted = (of: readonly JudgedPair[]): number =>
    of.filter(({ verdict }) => ACCEPTED.has(verdict)).length;
  const counted = (of: readonly JudgedPair[], wanted: string): number =>
    of.filter(({ verdict }) => verdict === wanted).length;
  return {
    honest: honest.length,
    honestAccepted: accepted(honest),
    honestPartly: counted(honest, 'partly_supported'),
    false: others.length,
    falseAccepted: accepted(others),
    unchecked: counted(all, 'unchecked'),
  };
}

const HEAD = [
  '|  | honest accepted | partly supported | false accepted | unchecked |',
  '| --- | --- | --- | --- | --- |',
];

/** Tables by language and by kind, in Markdown. */
export function toMarkdown(all: readonly JudgedPair[]): string {
  const rowOf = (name: string, of: readonly JudgedPair[]): string => {
    const one = figuresOf(of);
    return `| ${name} | ${one.honestAccepted} of ${one.honest} | ${one.honestPartly} | ${one.falseAccepted} of ${one.false} | ${one.unchecked} |`;
  };
  const rowsBy = (keyOf: (one: JudgedPair) => string): string[] =>
    [...new Set(all.map(keyOf))].sort().map((key) =>
      rowOf(
        key,
        all.filter((one) => keyOf(one) === key),
      ),
    );
  return [
    ...HEAD,
    rowOf('all', all),
    ...rowsBy(({ pair }) => directionOf(pair)),
    '',
    ...HEAD,
    ...rowsBy(({ pair }) => pair.kind),
  ].join('\n');
}

/** The sentences that were judged wrongly, one a line. */
export function wrongIn(all: readonly JudgedPair[]): string[] {
  return all
    .filter(({ pair, verdict }) => isHonest(pair) !== ACCEPTED.has(verdict))
    .map(
      ({ pair, verdict, detail = '' }) =>
        `${pair.id} ${pair.label} ${pair.kind}: ${verdict} (${detail}) ${pair.sentence}`,
    );
}
