import { type StoredFields, storedObject } from './stored-fields';

/** The key of the decision on a plan. */
export const PLAN_DECISION = 'plan';

/** What a run is to find out, and the queries that it begins with. */
export interface Direction {
  title: string;
  queries: string[];
}

/** What a run would use that reaches all its searches and pages. */
export interface PlanEstimate {
  searches: number;
  pages: number;
  model_calls: number;
  tokens: number;
  /** Null without the prices of its models. */
  cost_usd: number | null;
  minutes: number;
}

/** A plan as a worker writes it. */
export interface ProposedPlan {
  directions: Direction[];
  /** Only of a plan that is reviewed. */
  estimate: PlanEstimate | null;
}

/** A decision on a plan as it is stored: the first one stays. */
export interface PlanDecision {
  approve: boolean;
  /** In place of those of the plan. */
  directions?: Direction[];
  reason?: string;
}

export const PLAN_REVIEWS = ['approved', 'edited', 'refused'] as const;
export type PlanReview = (typeof PLAN_REVIEWS)[number];

/** A plan as it holds now. */
export interface RunPlan extends ProposedPlan {
  review: PlanReview | null;
  reason: string | null;
}

export function storedDecision(fields: StoredFields): PlanDecision | null {
  return storedObject(fields[`decision:${PLAN_DECISION}`]);
}

/** The plan of a record, as the decision has it if there is one. */
export function storedPlan(fields: StoredFields): RunPlan | null {
  const proposed = storedObject<ProposedPlan>(fields.plan);
  if (!Array.isArray(proposed?.directions)) return null;
  const decision = storedDecision(fields);
  return {
    directions: decision?.directions ?? proposed.directions,
    estimate: proposed.estimate ?? null,
    review: decision && reviewOf(decision),
    reason: decision?.reason ?? null,
  };
}

function reviewOf({ approve, directions }: PlanDecision): PlanReview {
  if (!approve) return 'refused';
  return directions ? 'edited' : 'approved';
}
