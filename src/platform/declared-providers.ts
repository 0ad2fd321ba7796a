import type { DiscoveryService } from '@nestjs/core';

/** Something that a decorator declared on a class, with the provider that is an instance of it. */
export interface Declared<D> {
  readonly declaration: D;
  readonly instance: object;
  /** False for a request-scoped provider: its instance belongs to one request. */
  readonly isStatic: boolean;
}

/** What is declared on the providers of the application, each once. */
export function* declaredProviders<D>(
  discovery: DiscoveryService,
  declarationsOf: (owner: object) => readonly D[],
): Generator<Declared<D>> {
  const seen = new Set<unknown>();
  for (const provider of discovery.getProviders()) {
    const instance = provider.instance as object | null | undefined;
    // A provider is listed once for each module that holds it.
    if (!instance || seen.has(instance)) continue;
    seen.add(instance);
    // The class comes from the instance: a provider made by a factory has no type of its own.
    const owner: unknown = instance.constructor;
    if (typeof owner !== 'function') continue;
    const isStatic = provider.isDependencyTreeStatic();
    for (const declaration of declarationsOf(owner))
      yield { declaration, instance, isStatic };
  }
}
