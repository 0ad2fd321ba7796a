import {
  distinctSources,
  type Source,
} from '../../../platform/message/citation';
import type { ProposedPlan } from '../../../runs/record/stored-plan';
import type { FieldsOf } from '../../../runs/record/run-fields';
import type { AgentRun } from '../agent-run';
import type { AgentCitation, AgentReport, Plan } from '../agent.types';
import { verifierOf } from './judged';

/** The step of the journal that holds what a run has read. */
export const EVIDENCE = 'evidence';
/** Of the step that emits what the sources do not say. */
export const MISSING = 'missing';
/** Of the step that emits what the numbers of a report stand for. */
export const SOURCES = 'sources';
/** Steps that emit a report; each holds its sections. */
export const EMITTED = [...Array(14).keys(), MISSING, 'outline', 'object'].map(
  (part) => `emit:${part}`,
);
/** A deep run has a tenth of it. */
const MAX_CHARS = 1_500_000;

export type Read = Omit<AgentReport['evidence'], 'sections'> & {
  /** Notes that are left out: there were too many. */
  omitted_notes: number;
};

/** Keeps what was read, before anything is written about it. */
export async function keepEvidence(run: AgentRun): Promise<void> {
  if (run.evidenceKept) return;
  run.evidenceKept = true;
  const value = evidenceOf(run);
  await run.journal.step(EVIDENCE, value, 'local', () =>
    Promise.resolve({
      value,
      fields: {
        sources: JSON.stringify(consulted(run, [])),
        ...shownPlan(run, run.plan),
      },
    }),
  );
}

/** The plan and the limits of the run, as the record shows them. A plan that is reviewed is written with its review. */
export function shownPlan(
  run: AgentRun,
  plan: Plan | undefined,
): FieldsOf<'plan' | 'limits'> {
  const limits = JSON.stringify(run.limitsOfRecord);
  if (!plan || run.task.args.plan === 'review') return { limits };
  const shown: ProposedPlan = { ...plan, estimate: null };
  return { plan: JSON.stringify(shown), limits };
}

/** Cited sources first, as hosted research lists them. */
export function consulted(
  { sources }: AgentRun,
  citations: readonly AgentCitation[],
): Source[] {
  return distinctSources(
    [...citations, ...sources].map(({ url, title }) => ({ url, title })),
  );
}

function evidenceOf(run: AgentRun): Read {
  const { brief, plan, contradictions, sources, failed } = run;
  let left = MAX_CHARS;
  const notes = run.notes.filter((note) => {
    left -= JSON.stringify(note).length;
    return left >= 0;
  });
  const omitted_notes = run.notes.length - notes.length;
  return {
    brief,
    plan,
    notes,
    contradictions,
    sources,
    failed,
    verifier: verifierOf(run),
    omitted_notes,
  };
}
