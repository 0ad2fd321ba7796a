import { AppConfig } from '../src/config/config';
import { LearntModels } from '../src/llm/models/learnt-models';
import { CompletionsEngine } from '../src/llm/completions/completions-engine';
import { ResponsesEngine } from '../src/llm/responses/responses-engine';
import type { UpstreamClient } from '../src/llm/upstream/upstream.client';
import { attempt, ENGINES, MAX_TURNS } from './attempt';
import { CASES, type Case } from './cases';
import type { Row } from './report';
import { CallLimit, Counted, type Endpoint } from './trace';

export interface Plan {
  models: readonly string[];
  /** Names of `ENGINES`. */
  engines: readonly string[];
  cases?: readonly Case[];
  maxCalls: number;
}

export interface Evaluation {
  rows: Row[];
  calls: number;
  /** The call limit was reached before all cases were run. */
  cut: boolean;
}

/** The maximum number of calls of a plan, without retries; a repair is one more turn. */
export function mostCalls({ models, engines, cases = CASES }: Plan): number {
  return models.length * engines.length * cases.length * (MAX_TURNS + 1);
}

/** Runs one case after another, so that its trace can be replayed. */
export async function evaluate(
  plan: Plan,
  endpoint: Endpoint,
  config: AppConfig,
): Promise<Evaluation> {
  const { models, engines, cases = CASES, maxCalls } = plan;
  const counted = new Counted(endpoint, maxCalls);
  const upstream = counted as unknown as UpstreamClient;
  const protocols = {
    responses: new ResponsesEngine(upstream, config, new LearntModels()),
    completions: new CompletionsEngine(upstream, config, new LearntModels()),
  };
  const rows: Row[] = [];
  for (const model of models) {
    for (const engine of engines) {
      const row: Row = { model, engine, cases: [], calls: 0 };
      rows.push(row);
      const before = counted.made;
      try {
        for (const testCase of cases) {
          const run = ENGINES[engine](protocols);
          const outcome = await attempt(run, model, testCase);
          if (counted.refused) throw new CallLimit();
          row.cases.push({ testCase, outcome });
        }
      } catch (error) {
        if (!(error instanceof CallLimit) && !counted.refused) throw error;
        return { rows, calls: counted.made, cut: true };
      } finally {
        row.calls = counted.made - before;
      }
    }
  }
  return { rows, calls: counted.made, cut: false };
}
