import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ConfigError } from '../config/environment';
import type { Checker } from './guardrail';
import { type Declaration, declarationsOf } from './guardrail.decorator';
import { Guardrails } from './guardrails';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Finds the guardrails among the providers of the application. */
@Injectable()
export class GuardrailDiscovery implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly guardrails: Guardrails,
  ) {}

  /** @throws ConfigError which says what is wrong with a guardrail: better no start than one that guards nothing. */
  onModuleInit(): void {
    const seen = new Set<unknown>();
    for (const provider of this.discovery.getProviders()) {
      const instance = provider.instance as Checker | null | undefined;
      // A provider that several modules hold is listed once for each.
      if (!instance || seen.has(instance)) continue;
      seen.add(instance);
      // Not the provider's own type, which is none if a factory made it.
      const owner: unknown = instance.constructor;
      if (typeof owner !== 'function') continue;
      for (const { name, stage, tools } of declarationsOf(owner)) {
        const fault =
          faultOf({ name, stage, tools }) ??
          (provider.isDependencyTreeStatic()
            ? undefined
            : 'is of a provider that is made for each request: make it one of the default scope');
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
    return 'names no tools and so guards nothing: name some, or leave "tools" out';
  return undefined;
}
