import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  HealthFault,
  HealthRegistry,
} from '../../platform/observability/health/health-registry';
import { McpServers } from './mcp-servers';

/** Whether all configured servers are connected. Without them everything else works: degraded, not down. */
@Injectable()
export class McpHealth implements OnModuleInit {
  constructor(
    private readonly health: HealthRegistry,
    private readonly servers: McpServers,
  ) {}

  onModuleInit(): void {
    if (this.servers.states().length === 0) return;
    this.health.register('mcp', () => this.check(), { critical: false });
  }

  private check(): Promise<void> {
    const unreachable = this.servers
      .states()
      .filter(({ connected }) => !connected)
      .map(({ name }) => name);
    if (unreachable.length === 0) return Promise.resolve();
    throw new HealthFault(`unreachable: ${unreachable.join(', ')}`);
  }
}
