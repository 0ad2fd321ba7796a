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
    for (const { instance, metatype } of this.discovery.getProviders()) {
      // A provider that several modules hold is listed once for each.
      if (!metatype || !instance || seen.has(instance)) continue;
      seen.add(instance);
      for (const { options, method } of declarationsOf(metatype)) {
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
