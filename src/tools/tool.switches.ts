import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { ConfigError } from '../config/environment';
import { covers } from '../config/name-pattern';
import { nearestName } from '../config/nearest-name';
import { ToolRegistry } from './tool.registry';

/** A misspelt name in RELAY_TOOLS_OFF would leave the tool on. Those of MCP servers are not known yet. */
@Injectable()
export class ToolSwitches implements OnApplicationBootstrap {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly config: AppConfig,
  ) {}

  /** @throws ConfigError that names what no tool is named. */
  onApplicationBootstrap(): void {
    const names = this.registry.names;
    for (const off of this.config.tools.off) {
      if (names.some((name) => covers(off, name)) || this.isOfServer(off))
        continue;
      throw new ConfigError(
        `RELAY_TOOLS_OFF names "${off}", which is no tool. Example: ${nearestName(off, names) ?? names[0]}`,
      );
    }
  }

  private isOfServer(off: string): boolean {
    return this.config.mcp.servers.some(({ name }) => {
      const prefix = `${name}__`;
      return off.startsWith(prefix) || covers(off, prefix);
    });
  }
}
