import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ConfigError } from '../config/environment';
import { declaredProviders } from '../platform/declared-providers';
import type { ToolContext } from './tool';
import { declarationsOf } from './tool.decorator';
import { defineTool } from './tool-definition';
import { ToolRegistry } from './tool-registry';

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
    for (const { declaration, instance, isStatic } of declaredProviders(
      this.discovery,
      declarationsOf,
    )) {
      const { options, method } = declaration;
      if (!isStatic)
        throw new ConfigError(
          `The tool "${options.name}" belongs to a request-scoped provider: use the default scope.`,
        );
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
