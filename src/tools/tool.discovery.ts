import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ConfigError } from '../config/environment';
import type { ToolContext } from './tool';
import { declarationsOf } from './tool.decorator';
import { defineTool } from './tool.definition';
import { ToolRegistry } from './tool.registry';

type Method = (args: object, context: ToolContext) => unknown;

/** Finds the tools among the providers of the application. */
@Injectable()
export class ToolDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly registry: ToolRegistry,
  ) {}

  /** @throws ConfigError which says what is wrong with a tool: better no start than a tool that nobody can call. */
  onModuleInit(): void {
    const seen = new Set<unknown>();
    for (const provider of this.discovery.getProviders()) {
      const instance = provider.instance as object | null | undefined;
      // A provider that several modules hold is listed once for each.
      if (!instance || seen.has(instance)) continue;
      seen.add(instance);
      // Not the provider's own type, which is none if a factory made it.
      const owner: unknown = instance.constructor;
      if (typeof owner !== 'function') continue;
      for (const { options, method } of declarationsOf(owner)) {
        if (!provider.isDependencyTreeStatic()) {
          throw new ConfigError(
            `The tool "${options.name}" is of a provider that is made for each request: make it one of the default scope.`,
          );
        }
        try {
          const run = (instance as Record<string, Method>)[method];
          this.registry.register(
            defineTool(options, {
              run: async (args, context) => run.call(instance, args, context),
            }),
          );
        } catch (fault) {
          throw new ConfigError((fault as Error).message);
        }
      }
    }
  }
}
