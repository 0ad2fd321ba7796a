import { ASPECTS, type Aspect, type Case } from './cases';
import type { Outcome } from './attempt';

export interface Row {
  model: string;
  engine: string;
  cases: { testCase: Case; outcome: Outcome }[];
  /** Calls of the endpoint in all cases. */
  calls: number;
}

/** The measures that can have thresholds. */
export const MEASURES = [...ASPECTS, 'valid arguments'] as const;
export type Measure = Aspect | 'valid arguments';

/** In percent of the cases with this measure that were answered in time; null if there is none. */
export function score({ cases }: Row, measure: Measure): number | null {
  const results = cases.flatMap(({ testCase, outcome }) => {
    const { passed, valid, timedOut } = outcome;
    if (timedOut) return [];
    if (measure === 'valid arguments') return valid ?? [];
    return testCase.aspect === measure ? passed : [];
  });
  if (results.length === 0) return null;
  return Math.floor((100 * results.filter(Boolean).length) / results.length);
}

export function timeouts({ cases }: Row): number {
  return cases.filter(({ outcome }) => outcome.timedOut).length;
}

export function toMarkdown(rows: readonly Row[]): string {
  const head = [
    'model',
    'engine',
    ...MEASURES,
    'time-outs',
    'cases',
    'model calls',
  ];
  const lines = rows.map((row) => [
    row.model,
    row.engine,
    ...MEASURES.map((measure) => percent(score(row, measure))),
    String(timeouts(row)),
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
    timeouts: timeouts(row),
    scores: Object.fromEntries(
      MEASURES.map((measure) => [measure, score(row, measure)]),
    ),
    cases: row.cases.map(({ testCase, outcome }) => ({
      ...testCase,
      calls: [...testCase.calls],
      outcome,
    })),
  }));
  return JSON.stringify({ rows: all }, null, 2);
}

/** The failed cases, one per line. */
export function faults(rows: readonly Row[]): string[] {
  return rows.flatMap(({ model, engine, cases }) =>
    cases
      .filter(({ outcome }) => !outcome.passed)
      .map(
        ({ testCase, outcome }) =>
          `${model} ${engine}, ${testCase.aspect}: "${testCase.question}": ${outcome.fault}`,
      ),
  );
}

/** The missed thresholds, one per line. */
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
