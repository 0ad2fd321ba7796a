import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Does `work`, in which every request to the endpoint carries these headers of the request that it is done for. */
export function withForwarded<T>(
  headers: Readonly<Record<string, string>> | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return headers ? scope.run(headers, work) : work();
}

/** Headers of the request that is worked for, in lower case. */
export function forwardedHeaders(): Readonly<Record<string, string>> {
  return scope.getStore() ?? {};
}

/** Those that a record holds. */
export function forwardedIn({
  forwarded,
}: Readonly<Record<string, string>>): Record<string, string> | undefined {
  return forwarded
    ? (JSON.parse(forwarded) as Record<string, string>)
    : undefined;
}
