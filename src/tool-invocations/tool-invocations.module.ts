import { Module } from '@nestjs/common';
import { CallerAccessModule } from '../platform/auth/caller-access.module';
import { FailedLoginsModule } from '../platform/auth/failed-logins.module';
import { RunGuard } from '../runs/http/run.guard';
import { RunsHttpModule } from '../runs/http/runs-http.module';
import { CallerRunsListing } from '../runs/submit/caller-runs-listing';
import { ToolsModule } from '../tools/tools.module';
import { ToolKindModule } from './execution/tool-kind';
import { SharedReports } from './shares/shared-reports';
import { SharedController } from './shares/shared.controller';
import { SharesController } from './shares/shares.controller';
import { SharesStore } from './shares/shares.store';
import { KeptInvocationsController } from './kept-invocations.controller';
import { ToolInvocationController } from './tool-invocation-by-id.controller';
import { ToolInvocationsController } from './tool-invocations.controller';
import { ToolEstimatesController } from './tool-estimates.controller';
import { ToolsController } from './tools.controller';

/** Tool invocations over HTTP. */
@Module({
  imports: [
    ToolKindModule,
    RunsHttpModule,
    ToolsModule,
    CallerAccessModule,
    FailedLoginsModule,
  ],
  controllers: [
    ToolInvocationsController,
    ToolEstimatesController,
    ToolInvocationController,
    KeptInvocationsController,
    SharesController,
    SharedController,
    ToolsController,
  ],
  providers: [CallerRunsListing, SharesStore, SharedReports],
})
export class ToolInvocationsModule {
  constructor(guard: RunGuard) {
    guard.protect('/api/v1/tool-invocations/:id', 'inv_');
  }
}
