import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ConfigError } from '../config/environment';
import type { ToolContext } from './tool';
import { declarationsOf } from './tool.decorator';
import { defineTool } from './tool.definition';
import { ToolRegistry } from './tool.registry';

type Method = (args: object, context: ToolContext) => unknown;

/** Registers the tools among the providers of the application. */
@Injectable()
export class ToolDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly registry: ToolRegistry,
  ) {}

  /** @throws ConfigError that describes the invalid tool: the process never starts with a tool that cannot be called. */
  onModuleInit(): void {
    const seen = new Set<unknown>();
    for (const provider of this.discovery.getProviders()) {
      const instance = provider.instance as object | null | undefined;
      // A provider of several modules is listed once for each.
      if (!instance || seen.has(instance)) continue;
      seen.add(instance);
      // Not the declared type of the provider, which a factory does not have.
      const owner: unknown = instance.constructor;
      if (typeof owner !== 'function') continue;
      for (const { options, method } of declarationsOf(owner)) {
        if (!provider.isDependencyTreeStatic()) {
          throw new ConfigError(
            `The tool "${options.name}" belongs to a request-scoped provider: use the default scope.`,
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
