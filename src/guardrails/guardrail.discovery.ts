import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ConfigError } from '../config/environment';
import type { Checker } from './guardrail';
import { type Declaration, declarationsOf } from './guardrail.decorator';
import { Guardrails } from './guardrails';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Registers the guardrails among the providers of the application. */
@Injectable()
export class GuardrailDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly guardrails: Guardrails,
  ) {}

  /** @throws ConfigError that names the fault: the service does not start with a guardrail that checks nothing. */
  onModuleInit(): void {
    const seen = new Set<unknown>();
    for (const provider of this.discovery.getProviders()) {
      const instance = provider.instance as Checker | null | undefined;
      // A provider is listed once for each module that holds it.
      if (!instance || seen.has(instance)) continue;
      seen.add(instance);
      // The class comes from the instance: a provider made by a factory has no type of its own.
      const owner: unknown = instance.constructor;
      if (typeof owner !== 'function') continue;
      for (const { name, stage, tools } of declarationsOf(owner)) {
        const fault =
          faultOf({ name, stage, tools }) ??
          (provider.isDependencyTreeStatic()
            ? undefined
            : 'belongs to a request-scoped provider: give it the default scope');
        if (fault) throw new ConfigError(`The guardrail "${name}" ${fault}.`);
        try {
          this.guardrails.register({
            name,
            stage,
            ...(tools && { tools }),
            check: (text, context) => instance.check(text, context),
          });
        } catch (error) {
          throw new ConfigError((error as Error).message);
        }
      }
    }
  }
}

function faultOf({ name, tools }: Declaration): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name))
    return 'has a name that is not 1 to 64 letters, digits, _ or -: rename it';
  if (tools?.length === 0)
    return 'has an empty list of tools and checks nothing: name some, or leave "tools" out';
  return undefined;
}
