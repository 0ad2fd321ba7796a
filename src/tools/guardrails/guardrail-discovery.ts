import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ConfigError } from '../../config/environment';
import { declaredProviders } from '../../platform/declared-providers';
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
    for (const { declaration, instance, isStatic } of declaredProviders(
      this.discovery,
      declarationsOf,
    )) {
      const { name, stage, tools } = declaration;
      const fault = isStatic
        ? faultOf(declaration)
        : 'belongs to a request-scoped provider: use the default scope';
      if (fault) throw new ConfigError(`The guardrail "${name}" ${fault}.`);
      try {
        this.guardrails.register({
          name,
          stage,
          ...(tools && { tools }),
          check: (text, context) => (instance as Checker).check(text, context),
        });
      } catch (error) {
        throw new ConfigError((error as Error).message);
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
