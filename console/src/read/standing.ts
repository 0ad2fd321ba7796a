import type { Schemas } from '../api/client';

export type Verdict = NonNullable<Schemas['ReportCitationDto']['verdict']>;
export type CheckedBy = NonNullable<Schemas['ReportCitationDto']['checked_by']>;

/** Whether a sentence holds, stays open, or is at fault. */
export type Standing = 'good' | 'neutral' | 'bad';

const STANDINGS: Record<Verdict, Standing> = {
  quote_matched: 'good',
  supported: 'good',
  derived: 'good',
  judgement: 'good',
  partly_supported: 'neutral',
  unchecked: 'neutral',
  contradicted: 'bad',
  unsupported: 'bad',
  number_differs: 'bad',
  text_differs: 'bad',
};

/** A verdict that this version does not know vouches for nothing; undefined without one. */
export function standingOf(verdict: string | null): Standing | undefined {
  if (verdict === null) return undefined;
  return STANDINGS[verdict as Verdict] ?? 'neutral';
}

/** How many sentences have each standing. */
export function standingsIn(
  verdicts: Readonly<Record<string, number>>,
): Record<Standing, number> {
  const counts = { good: 0, neutral: 0, bad: 0 };
  for (const [verdict, count] of Object.entries(verdicts))
    counts[standingOf(verdict)!] += count;
  return counts;
}
