import { AppError, type ErrorCode, isErrorCode } from '../../platform/errors';
import type { Finish } from '../../runs/store/run-claim';
import {
  type StoredFields,
  storedObject,
} from '../../runs/record/stored-fields';
import type { Steps } from '../../runs/record/run';
import type { StopReason } from '../../runs/worker/active-run';
import {
  ended,
  type Outcome,
  Rescheduled,
} from '../../runs/worker/run-outcome';
import { RunLost } from '../../runs/worker/run-writer';
import type { AgentEnd } from './agent-versions';
import { StepSkipped } from './journal/journal';
import { MAX_LISTED } from './journal/journal-totals';
import type { RunJournal } from './journal/run-journal';

/** What is on record of a run besides its journal. */
export interface Written {
  /** There is text that a reader has seen. */
  hasText: boolean;
}

/** The end of a run whose function has returned. */
export function reportedEnding(
  { status, code, message, model, ...report }: AgentEnd,
  journal: RunJournal,
  { hasText }: Written,
): Finish {
  const fields = {
    ...journal.fields,
    citations: JSON.stringify(report.citations),
    sources: JSON.stringify(report.sources),
    limits_reached: JSON.stringify(report.limitsReached),
  };
  if (status === 'completed' && hasText) return { status, fields, model };
  const why = code ?? 'empty_output';
  const end = ended(hasText ? 'incomplete' : 'failed', why, fields, message);
  return { ...end, model };
}

/** How the worker's hold on a run ends that was stopped, or whose function threw. @throws what is no end of a run. */
export function stoppedOutcome(
  error: unknown,
  signal: AbortSignal,
  journal: RunJournal,
  { hasText }: Written,
): Outcome {
  if (error instanceof RunLost) return 'lost';
  const { fields } = journal;
  const end = (code: ErrorCode, message?: string): Finish =>
    ended(hasText ? 'incomplete' : 'failed', code, fields, message);
  if (signal.aborted)
    switch (signal.reason as StopReason) {
      case 'lost':
        return 'lost';
      case 'shutdown':
        return new Rescheduled(0);
      case 'cancel':
        return ended('cancelled', 'cancelled', fields);
      case 'deadline':
        return end('research_timeout');
    }
  if (error instanceof StepSkipped)
    return end(isErrorCode(error.code) ? error.code : 'step_failed');
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'output_too_large')
    return ended('failed', error.code, fields);
  if (error.code === 'plan_refused')
    return ended('cancelled', error.code, fields);
  return end(error.code, error.message);
}

/** The steps of a run that no worker carries on: as last written, with the attempts that have begun since. */
export function abandonedSteps(
  { steps }: StoredFields,
  { ambiguous, repeated }: Pick<Steps, 'ambiguous' | 'repeated'>,
): string {
  const {
    settled = 0,
    skipped = 0,
    ambiguous: listed = [],
  } = storedObject<Partial<Steps>>(steps) ?? {};
  const all = [...new Set([...listed, ...ambiguous])].slice(0, MAX_LISTED);
  const counts = { settled, repeated, skipped, ambiguous: all };
  return JSON.stringify(counts satisfies Steps);
}
