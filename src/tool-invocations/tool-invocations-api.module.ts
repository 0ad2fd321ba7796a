import { Module } from '@nestjs/common';
import { ToolsModule } from '../tools/tools.module';
import { InvocationController } from './invocation.controller';
import { InvocationListing } from './invocation.listing';
import { ToolInvocationsController } from './tool-invocations.controller';
import { ToolInvocationsModule } from './tool-invocations.module';
import { ToolsController } from './tools.controller';

/** Tool invocations over HTTP. */
@Module({
  imports: [ToolInvocationsModule, ToolsModule],
  controllers: [
    ToolInvocationsController,
    InvocationController,
    ToolsController,
  ],
  providers: [InvocationListing],
})
export class ToolInvocationsApiModule {}
