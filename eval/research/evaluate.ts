import type { AppConfig } from '../../src/config/config';
import { contextTokensOf } from '../../src/llm/models/context-window';
import { countTokens } from '../../src/llm/tokens/count-tokens';
import type { Depth } from '../../src/research/arguments/budget';
import { research } from '../../src/research/agent/agent';
import type {
  AgentPorts,
  CompletionPort,
} from '../../src/research/agent/agent-ports';
import type {
  AgentReport,
  ResearchTask,
} from '../../src/research/agent/agent.types';
import {
  researchArguments,
  type Verify,
} from '../../src/research/arguments/research-arguments';
import { MemoryJournal } from '../../test/support/agent/memory-journal';
import { CallLimit } from '../trace';
import { CountedModel } from './endpoint';
import type { Guard } from './guards';
import { partsIn } from './parts';
import type { Question } from './questions';
import { type Counts, score, total } from './score';
import type { Site } from './site';
import { WriterLog } from './written';

export interface Plan {
  models: readonly string[];
  questions: readonly Question[];
  depth: Depth;
  verify: Verify;
  without?: Guard;
  maxCalls: number;
  /** Is told of every run at its end. */
  onEnd?: (run: EndedRun) => void;
}

export interface EndedRun {
  report: AgentReport;
  journal: MemoryJournal;
}

export interface ModelRow {
  model: string;
  counts: Counts;
  /** Of each question, by its id. */
  runs: Record<string, Counts>;
}

export interface Evaluation {
  rows: ModelRow[];
  /** The call limit was reached before all questions were asked. */
  cut: boolean;
}

/** The clock of every run, so that no figure depends on it. */
const NOW = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 60 * 60_000;
const MODEL_TIMEOUT_MS = 10 * 60_000;

/** Asks each model each question, one run after another, so that a trace can be replayed. */
export async function evaluate(
  plan: Plan,
  model: CompletionPort,
  config: AppConfig,
  site: Site,
): Promise<Evaluation> {
  const counted = new CountedModel(model, plan.maxCalls);
  site.dedupe = plan.without !== 'dedupe';
  const rows: ModelRow[] = [];
  try {
    for (const name of plan.models) {
      const runs: Record<string, Counts> = {};
      try {
        for (const question of plan.questions)
          runs[question.id] = await run(
            plan,
            name,
            question,
            counted,
            site,
            config,
          );
      } finally {
        const all = Object.values(runs);
        if (all.length > 0)
          rows.push({ model: name, counts: total(all), runs });
      }
    }
    return { rows, cut: false };
  } catch (error) {
    if (!(error instanceof CallLimit)) throw error;
    return { rows, cut: true };
  }
}

async function run(
  { depth, verify, onEnd }: Plan,
  name: string,
  question: Question,
  endpoint: CompletionPort,
  site: Site,
  config: AppConfig,
): Promise<Counts> {
  const journal = new MemoryJournal();
  const log = new WriterLog(endpoint);
  const ports = portsOf(name, log, site, config);
  const { signal } = new AbortController();
  const report = await research(
    taskOf(question, depth, verify),
    journal,
    ports,
    signal,
  );
  onEnd?.({ report, journal });
  return score({
    question,
    report,
    text: journal.text,
    spent: journal.spent,
    calls: log.calls,
    written: log.sentences,
    parts: partsIn(journal),
    texts: site.texts,
    words: site.words,
  });
}

function portsOf(
  name: string,
  complete: CompletionPort,
  { search, pages }: Site,
  config: AppConfig,
): AgentPorts {
  const model = {
    name,
    contextTokens: contextTokensOf(name, config),
    factors: { cjk: 1, other: 1 },
  };
  return {
    complete,
    search,
    pages,
    models: { writer: model, reader: model, critic: model, verifier: model },
    countTokens,
    now: () => NOW,
    timeZone: 'UTC',
    modelTimeoutMs: MODEL_TIMEOUT_MS,
  };
}

/** The guardrails of an operator are no part of it. */
function taskOf(
  { question, depth, budget = {} }: Question,
  otherwise: Depth,
  verify: Verify,
): ResearchTask {
  return {
    args: researchArguments.parse({
      research_question: question,
    }) as ResearchTask['args'],
    depth: depth ?? otherwise,
    verify,
    budget,
    deadlineMs: NOW + HOUR,
  };
}
