interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/** Global symbol under which the `fetch` of Node.js stores its dispatcher. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * The `fetch` of Node.js aborts after 300 s without a byte and has no option to change that. This wraps the current
 * dispatcher, for example that of a proxy, without its limits, so that `timeoutMs` alone decides. Other runtimes have
 * no such limit and ignore it.
 */
const WITHOUT_TIMEOUTS: Dispatcher = {
  dispatch: (options, handler) =>
    current()!.dispatch(
      { ...options, headersTimeout: 0, bodyTimeout: 0 },
      handler,
    ),
};

/** Additional options for the built-in `fetch`. */
export function withoutFetchTimeouts(): object {
  // Node.js creates the dispatcher when a global of fetch is first accessed.
  void globalThis.Headers;
  return current() === undefined ? {} : { dispatcher: WITHOUT_TIMEOUTS };
}

function current(): Dispatcher | undefined {
  return (globalThis as Record<symbol, unknown>)[GLOBAL_DISPATCHER] as
    Dispatcher | undefined;
}
