import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type CallerIdentity } from '../platform/auth/caller';
import { RequiresScope } from '../platform/auth/requires-scope';
import { checkTool } from '../platform/auth/scopes';
import { AppConfig } from '../config/config';
import { AppError } from '../platform/errors';
import { RunEstimateDto, RunEstimatesDto } from '../runs/http/plan.dto';
import type { RunEstimate } from '../runs/record/run-estimate';
import { readMode, readWebhook } from '../runs/http/run-request';
import { RunKinds } from '../runs/queue/run-kinds';
import { ESTIMATE_EXAMPLES } from './dto/invoke-tool-examples';
import { EstimateToolDto, InvokeToolDto } from './dto/invoke-tool.dto';

const RESEARCH = 'deep_research';
/** Without one first; the agent has the others. */
const DEPTHS = [undefined, 'quick', 'standard', 'deep'];
/** What is asked does not change what may be used. */
const ANY_QUESTION = '?';

@ApiTags('tool invocations')
@Controller('api/v1/tool-invocations/estimate')
export class ToolEstimatesController {
  constructor(
    private readonly kinds: RunKinds,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @RequiresScope('tools', 'if-configured')
  @ApiOperation({
    operationId: 'ToolInvocations_estimates',
    summary: 'What research of each depth would use, and what past runs took',
    description: 'Depths that cannot be carried here are left out.',
  })
  @ApiOkResponse({ type: RunEstimatesDto })
  async estimates(@Caller() caller: CallerIdentity): Promise<RunEstimatesDto> {
    checkTool(caller.scopes, RESEARCH);
    const kind = this.kinds.of(RESEARCH);
    const data: RunEstimate[] = [];
    for (const depth of DEPTHS) {
      const args = { research_question: ANY_QUESTION, ...(depth && { depth }) };
      try {
        const parsed = this.kinds.parse(RESEARCH, args);
        if (kind.estimate) data.push(await kind.estimate(parsed, caller));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'validation_failed')
          throw error;
      }
    }
    return { data };
  }

  @Post()
  @HttpCode(200)
  @RequiresScope('tools', 'if-configured')
  @ApiOperation({
    operationId: 'ToolInvocations_estimate',
    summary: 'What research would use, without submitting it',
    description:
      'Takes what `POST /api/v1/tool-invocations` takes, and refuses what that refuses, except for what is full or spent at the moment. ' +
      'Nothing is stored, and no model is called.',
  })
  @ApiBody({ type: EstimateToolDto, examples: ESTIMATE_EXAMPLES })
  @ApiOkResponse({ type: RunEstimateDto })
  async estimate(
    @Body() { tool_name, arguments: given, webhook }: InvokeToolDto,
    @Caller() caller: CallerIdentity,
  ): Promise<RunEstimate> {
    const kind = this.kinds.of(tool_name);
    if (!kind.estimate)
      throw new AppError(
        'validation_failed',
        'There are estimates of deep_research alone.',
        { errors: [{ path: 'tool_name', message: 'must be deep_research' }] },
      );
    checkTool(caller.scopes, tool_name);
    const { args, faults } = readMode(given, false);
    const { webhooks } = this.config;
    const { faults: more } = readWebhook(webhook, caller.name, webhooks);
    const parsed = this.kinds.parse(tool_name, args, [...faults, ...more]);
    return kind.estimate(parsed, caller);
  }
}
