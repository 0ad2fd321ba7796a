import { ApiProperty } from '@nestjs/swagger';
import { PLAN_REVIEWS, type PlanReview } from '../record/stored.plan';

export class DirectionDto {
  /** What it is to find out. */
  title: string;

  /** What it begins with. */
  queries: string[];
}

/** What a run would use that reaches all its searches and pages: an estimate, not a limit. */
export class PlanEstimateDto {
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
