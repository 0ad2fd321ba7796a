import { Module } from '@nestjs/common';
import { RunGuard } from '../runs/http/run.guard';
import { RunsHttpModule } from '../runs/http/runs-http.module';
import { CallerRunsListing } from '../runs/submit/caller-runs-listing';
import { ToolsModule } from '../tools/tools.module';
import { ToolKindModule } from './execution/tool-kind';
import { KeptInvocationsController } from './kept-invocations.controller';
import { ToolInvocationController } from './tool-invocation-by-id.controller';
import { ToolInvocationsController } from './tool-invocations.controller';
import { ToolEstimatesController } from './tool-estimates.controller';
import { ToolsController } from './tools.controller';

/** Tool invocations over HTTP. */
@Module({
  imports: [ToolKindModule, RunsHttpModule, ToolsModule],
  controllers: [
    ToolInvocationsController,
    ToolEstimatesController,
    ToolInvocationController,
    KeptInvocationsController,
    ToolsController,
  ],
  providers: [CallerRunsListing],
})
export class ToolInvocationsModule {
  constructor(guard: RunGuard) {
    guard.protect('/api/v1/tool-invocations/:id', 'inv_');
  }
}
