import { ASPECTS, type Aspect, type Case } from './cases';
import type { Outcome } from './attempt';

export interface Row {
  model: string;
  engine: string;
  cases: { asked: Case; outcome: Outcome }[];
  /** Of the endpoint, in all cases. */
  calls: number;
}

/** What thresholds may be set for. */
export const MEASURES = [...ASPECTS, 'valid arguments'] as const;
export type Measure = Aspect | 'valid arguments';

/** In percent of the cases that say anything about it; null if none does. */
export function score({ cases }: Row, measure: Measure): number | null {
  const results = cases.flatMap(({ asked, outcome: { passed, valid } }) => {
    if (measure === 'valid arguments') return valid ?? [];
    return asked.aspect === measure ? passed : [];
  });
  if (results.length === 0) return null;
  return Math.floor((100 * results.filter(Boolean).length) / results.length);
}

export function toMarkdown(rows: readonly Row[]): string {
  const head = ['model', 'engine', ...MEASURES, 'cases', 'model calls'];
  const lines = rows.map((row) => [
    row.model,
    row.engine,
    ...MEASURES.map((measure) => percent(score(row, measure))),
    String(row.cases.length),
    String(row.calls),
  ]);
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

export function toJson(rows: readonly Row[]): string {
  const all = rows.map((row) => ({
    model: row.model,
    engine: row.engine,
    calls: row.calls,
    scores: Object.fromEntries(
      MEASURES.map((measure) => [measure, score(row, measure)]),
    ),
    cases: row.cases.map(({ asked, outcome }) => ({
      ...asked,
      calls: [...asked.calls],
      outcome,
    })),
  }));
  return JSON.stringify({ rows: all }, null, 2);
}

/** The cases that went wrong, one a line. */
export function faults(rows: readonly Row[]): string[] {
  return rows.flatMap(({ model, engine, cases }) =>
    cases
      .filter(({ outcome }) => !outcome.passed)
      .map(
        ({ asked, outcome }) =>
          `${model} ${engine}, ${asked.aspect}: "${asked.question}": ${outcome.fault}`,
      ),
  );
}

/** The thresholds that are not met, one a line. */
export function missed(
  rows: readonly Row[],
  least: ReadonlyMap<Measure, number>,
): string[] {
  return rows.flatMap((row) =>
    [...least].flatMap(([measure, wanted]) => {
      const reached = score(row, measure);
      const isMet = reached !== null && reached >= wanted;
      const at = `${row.model} ${row.engine}, ${measure}`;
      return isMet ? [] : `${at}: ${percent(reached)} of ${wanted} %`;
    }),
  );
}

const percent = (value: number | null) => (value === null ? '-' : `${value} %`);
