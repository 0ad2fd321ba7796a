import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ToolsModule } from '../tools/tools.module';
import { EventTickets } from '../runs/http/event.ticket';
import { ToolInvocationController } from './tool-invocation.controller';
import { CallerRunsListing } from '../runs/submit/caller-runs.listing';
import { RunAccess } from '../runs/http/run-access';
import { ToolInvocationsController } from './tool-invocations.controller';
import { RunsModule } from '../runs/runs.module';
import { ToolsController } from './tools.controller';

/** Tool invocations over HTTP. */
@Module({
  imports: [AuthModule, RunsModule, ToolsModule],
  controllers: [
    ToolInvocationsController,
    ToolInvocationController,
    ToolsController,
  ],
  providers: [CallerRunsListing, EventTickets, RunAccess],
  exports: [EventTickets],
})
export class ToolInvocationsModule {}
