import { Module } from '@nestjs/common';
import { McpServers } from './mcp.servers';

/** Tools of other servers. Processes that only list them connect as well: who else knows what there is. */
@Module({ providers: [McpServers], exports: [McpServers] })
export class McpModule {}
