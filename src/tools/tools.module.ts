import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ToolDiscovery } from './tool-discovery';
import { ToolRegistry } from './tool-registry';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [ToolRegistry, ToolDiscovery],
  exports: [ToolRegistry],
})
export class ToolsModule {}
