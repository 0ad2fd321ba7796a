import { Body, HttpCode, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConflictResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { RequiresScope } from '../../platform/auth/requires-scope';
import { InvocationDto, toInvocationDto } from '../../runs/http/run.dto';
import { Run } from '../../runs/http/run.guard';
import { InvocationController } from '../../runs/http/run-routes';
import type { RunRecord } from '../../runs/record/run-record';
import { PLAN_EXAMPLES, PlanDecisionDto } from './plan-decision.dto';
import { PlanReviews } from './plan-reviews';

/** The decision on a plan, below the path of its record. */
@InvocationController()
export class PlanController {
  constructor(private readonly reviews: PlanReviews) {}

  @Post('plan')
  @RequiresScope('research')
  @ApiBody({ type: PlanDecisionDto, examples: PLAN_EXAMPLES })
  @HttpCode(202)
  @ApiOperation({
    operationId: 'Invocation_plan',
    summary:
      'Approve, edit or refuse the plan that a run of the agent waits with; the run then continues or ends',
  })
  @ApiAcceptedResponse({
    type: InvocationDto,
    description: 'The same decision again changes nothing.',
  })
  @ApiConflictResponse({
    description:
      '`not_waiting`: there is no plan to decide on. `decision_conflict`: another decision was made.',
  })
  async decide(
    @Run() record: RunRecord,
    @Body() decision: PlanDecisionDto,
  ): Promise<InvocationDto> {
    return toInvocationDto(await this.reviews.decide(record, decision));
  }
}
