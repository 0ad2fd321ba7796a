import type { RunLimits } from './run';

/** What a plan would use that reaches all its searches and pages. */
export interface PlanEstimate {
  searches: number;
  pages: number;
  model_calls: number;
  tokens: number;
  /** In US dollars; null without the prices of its models. */
  cost_usd: number | null;
  minutes: number;
}

/** Prices in US dollars per million tokens; null without one. */
export interface RunModel {
  model: string;
  roles: string[];
  input_usd_per_million: number | null;
  output_usd_per_million: number | null;
}

/** In US dollars, what is neither spent nor reserved of a budget. Null: no limit of that period. */
export interface BudgetLeft {
  day_usd: number | null;
  month_usd: number | null;
}

/** What nine of ten alike have taken at least, and at most. */
export interface UseRange {
  low: number;
  high: number;
}

/** What past runs that are alike have taken; its members as `TypicalUseDto` describes them. */
export interface TypicalUse {
  of: 'key' | 'installation';
  runs: number;
  seconds: UseRange;
  cost_usd: UseRange | null;
}

/** What a run of certain arguments may use, before it is submitted; its members as `RunEstimateDto` describes them. */
export interface RunEstimate {
  tool_name: string;
  engine: string;
  depth: string | null;
  limits: RunLimits;
  models: RunModel[];
  typical: TypicalUse | null;
  estimated_depth: string | null;
  estimate: PlanEstimate | null;
  budget_left: BudgetLeft | null;
}
