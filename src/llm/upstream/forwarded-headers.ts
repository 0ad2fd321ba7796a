import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Runs `work`, during which every request to the endpoint carries these headers. */
export function withForwarded<T>(
  headers: Readonly<Record<string, string>> | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return headers ? scope.run(headers, work) : work();
}

/** The headers of the current scope, in lower case. */
export function forwardedHeaders(): Readonly<Record<string, string>> {
  return scope.getStore() ?? {};
}

/** The forwarded headers that a record holds. */
export function forwardedIn({
  forwarded,
}: {
  readonly forwarded?: string;
}): Record<string, string> | undefined {
  return forwarded
    ? (JSON.parse(forwarded) as Record<string, string>)
    : undefined;
}
