import { ApiProperty } from '@nestjs/swagger';
import type { RunLimits } from '../record/run';
import type {
  BudgetLeft,
  PlanEstimate,
  RunEstimate,
  RunModel,
  TypicalUse,
  UseRange,
} from '../record/run-estimate';
import { PLAN_REVIEWS, type PlanReview } from '../record/stored-plan';

export class DirectionDto {
  /** What it is to find out. */
  title: string;

  /** What it begins with. */
  queries: string[];
}

/** What a run would use that reaches all its searches and pages: an estimate, not a limit. */
export class PlanEstimateDto implements PlanEstimate {
  searches: number;

  pages: number;

  model_calls: number;

  tokens: number;

  /** Null without the prices of its models. */
  cost_usd: number | null;

  minutes: number;
}

export class PlanDto {
  /** As they were edited, if they were. */
  directions: DirectionDto[];

  /** Of the plan as it was proposed; null for a run without a review. */
  estimate: PlanEstimateDto | null;

  /** What was decided. */
  @ApiProperty({ enum: PLAN_REVIEWS, nullable: true })
  review: PlanReview | null;

  /** Of the decision. */
  reason: string | null;
}

export class RequiredPlanDto {
  /** To approve, edit or refuse, see `POST /api/v1/tool-invocations/{id}/plan`. */
  plan: PlanDto;
}

/** The most that a run may use. Null: not limited by this service. */
export class RunLimitsDto implements RunLimits {
  max_searches: number | null;

  max_pages: number | null;

  max_tokens: number | null;

  /** From its begin, without the wait for a decision on its plan. */
  max_seconds: number;

  max_cost_usd: number | null;
}

/** Prices are those of the configuration; null without one. */
export class RunModelDto implements RunModel {
  model: string;

  /** Of the agent: `writer`, `reader`, `critic`, `verifier`. */
  roles: string[];

  input_usd_per_million: number | null;

  output_usd_per_million: number | null;
}

/** What is neither spent nor reserved of the budget of the API key. Null: no limit of that period. */
export class BudgetLeftDto implements BudgetLeft {
  day_usd: number | null;

  month_usd: number | null;
}

/** Nine of ten take `low` at least, and nine of ten `high` at most. */
export class UseRangeDto implements UseRange {
  low: number;

  high: number;
}

/** What completed runs of the same engine and depth have taken. */
export class TypicalUseDto implements TypicalUse {
  /** Whose runs these are: of the API key, or of all where it has fewer than five. */
  @ApiProperty({ enum: ['key', 'installation'] })
  of: 'key' | 'installation';

  /** How many, at most the last 200. */
  runs: number;

  /** From its begin. */
  seconds: UseRangeDto;

  /** Null where it is not known. */
  cost_usd: UseRangeDto | null;
}

/** What a run of these arguments may use, before it is submitted. */
export class RunEstimateDto implements RunEstimate {
  tool_name: string;

  /** What would carry it: `hosted`, `agent` or `plain`. */
  engine: string;

  /** Of the agent, as asked for; with `auto` it decides itself, and `limits` are those of the deepest. Null for other engines. */
  depth: string | null;

  limits: RunLimitsDto;

  models: RunModelDto[];

  /** Null where fewer than five such runs are known. */
  typical: TypicalUseDto | null;

  /** The depth that `estimate` is made for: `standard` with `auto`. */
  estimated_depth: string | null;

  /** An upper bound: of a run of the agent whose plan is as large as that depth allows; null for other engines. */
  estimate: PlanEstimateDto | null;

  /** Null without a budget. */
  budget_left: BudgetLeftDto | null;
}

/** What research of each depth may use that can be carried here. */
export class RunEstimatesDto {
  /** Without a depth, and of each depth of the agent. */
  data: RunEstimateDto[];
}
