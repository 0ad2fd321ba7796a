import type { AgentPorts } from './agent-ports';
import type { Journal } from './journal/journal';
import { AgentRun } from './agent-run';
import type { AgentReport, ResearchTask } from './agent.types';
import { estimateCost } from './steps/plan-estimate';
import { modelFailure, nothingFound } from './report/endings';
import { verifierOf } from './text/judged';
import { consulted, keepEvidence } from './text/shown-evidence';
import { ReportWriter } from './report/report-writer';
import { LimitReached, ModelFailed } from './steps/model-failures';
import { outline } from './stages/outline-stage';
import { rounds } from './stages/rounds';
import { review } from './stages/review-stage';
import { plan, scope } from './stages/scope-stage';

type Ending = Pick<AgentReport, 'status' | 'code' | 'message'>;

/**
 * Carries out research. A function of the task and the journal: called again with the same journal, it does nothing that is
 * settled, and goes on from there.
 */
export async function research(
  task: ResearchTask,
  journal: Journal,
  ports: AgentPorts,
  signal: AbortSignal,
): Promise<AgentReport> {
  const run = await AgentRun.begin(task, journal, ports, signal);
  let writer: ReportWriter | undefined;
  let ending: Ending;
  try {
    await scope(run);
    run.adoptContexts();
    await plan(run);
    run.adoptContexts();
    const approved = await review(run);
    await estimateCost(run, approved);
    await rounds(run);
    run.adoptContexts();
    await keepEvidence(run);
    if (run.notes.length === 0) return report(run, nothingFound(run));
    writer = new ReportWriter(run, await outline(run));
    await writer.write();
    ending = writtenEnding(run, writer);
  } catch (error) {
    if (!(error instanceof ModelFailed || error instanceof LimitReached))
      throw error;
    await keepEvidence(run);
    ending = modelFailure(run, error, writer);
  }
  return report(run, ending, writer);
}

function writtenEnding(run: AgentRun, writer: ReportWriter): Ending {
  if (writer.refused) return { status: 'incomplete', code: 'content_filter' };
  if (writer.failure) return modelFailure(run, writer.failure, writer);
  if (writer.begun) return { status: 'completed' };
  return nothingFound(run);
}

function report(
  run: AgentRun,
  ending: Ending,
  writer?: ReportWriter,
): AgentReport {
  const { brief, plan, notes, contradictions, sections, sources, failed } = run;
  const citations = writer?.citations ?? [];
  return {
    ...ending,
    citations,
    sources: consulted(run, citations),
    limitsReached: [...run.limitsReached].sort(),
    ...(writer?.begun && { model: run.model('writer').name }),
    evidence: {
      brief,
      plan,
      notes,
      contradictions,
      sections,
      sources,
      failed,
      verifier: verifierOf(run),
    },
  };
}
