import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ToolsModule } from '../tools/tools.module';
import { EventTickets } from './event.ticket';
import { InvocationController } from './invocation.controller';
import { InvocationListing } from './invocation.listing';
import { RecordAccess } from './record-access';
import { ToolInvocationsController } from './tool-invocations.controller';
import { ToolInvocationsModule } from './tool-invocations.module';
import { ToolsController } from './tools.controller';

/** Tool invocations over HTTP. */
@Module({
  imports: [AuthModule, ToolInvocationsModule, ToolsModule],
  controllers: [
    ToolInvocationsController,
    InvocationController,
    ToolsController,
  ],
  providers: [InvocationListing, EventTickets, RecordAccess],
  exports: [EventTickets],
})
export class ToolInvocationsApiModule {}
