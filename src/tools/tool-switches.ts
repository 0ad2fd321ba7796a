import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { ConfigError } from '../config/environment';
import { covers } from '../config/name-pattern';
import { nearestName } from '../config/nearest-name';
import { ToolRegistry } from './tool-registry';

/** Checks RELAY_TOOLS_OFF, where a misspelt name would leave a tool enabled. Names of MCP tools are not known yet. */
@Injectable()
export class ToolSwitches implements OnApplicationBootstrap {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly config: AppConfig,
  ) {}

  /** @throws ConfigError that names an entry without a tool. */
  onApplicationBootstrap(): void {
    const names = this.registry.names;
    for (const off of this.config.tools.off) {
      if (names.some((name) => covers(off, name)) || this.isOfServer(off))
        continue;
      throw new ConfigError(
        `RELAY_TOOLS_OFF names "${off}", which is not a tool. Example: ${nearestName(off, names) ?? names[0]}`,
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
