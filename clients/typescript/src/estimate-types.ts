/** What a run would use, before it is submitted. Amounts of money are US dollars. */

import type { Plan, RunLimits } from './types.js';

export interface UseRange {
  low: number;
  high: number;
}

export interface RunEstimate {
  tool_name: string;
  /** `hosted`, `agent` or `plain`. */
  engine: string;
  /** Of the agent, as asked for; null for other engines. */
  depth: string | null;
  limits: RunLimits;
  models: {
    model: string;
    /** Of the agent: `writer`, `reader`, `critic`, `verifier`. */
    roles: string[];
    input_usd_per_million: number | null;
    output_usd_per_million: number | null;
  }[];
  /** What the last runs of this kind took. Null where fewer than five are known. */
  typical: {
    /** Whose runs these are: of the API key, or of all. */
    of: 'key' | 'installation';
    runs: number;
    seconds: UseRange;
    /** Null where it is not known. */
    cost_usd: UseRange | null;
  } | null;
  /** The depth that `estimate` is made for. */
  estimated_depth: string | null;
  /** An upper bound, of a run of the agent whose plan is as large as that depth allows; null for other engines. */
  estimate: Plan['estimate'];
  /** What the API key may still spend. Null without a budget. */
  budget_left: { day_usd: number | null; month_usd: number | null } | null;
}

export interface RunEstimateList {
  /** Without a depth, and of each depth of the agent. */
  data: RunEstimate[];
}
