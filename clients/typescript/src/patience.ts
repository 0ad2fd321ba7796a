interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/** Where the `fetch` of Node.js keeps what it sends requests with. */
const CURRENT = Symbol.for('undici.globalDispatcher.1');

/**
 * The `fetch` of Node.js gives up after 300 s without a byte, and has no option of its own for that. How long to wait is
 * what `timeoutMs` says, so this is the current dispatcher, e.g. a proxy's, without a limit. Other runtimes have no such
 * limit, and ignore it.
 */
const PATIENT: Dispatcher = {
  dispatch: (options, handler) =>
    current()!.dispatch(
      { ...options, headersTimeout: 0, bodyTimeout: 0 },
      handler,
    ),
};

/** What to call the built-in `fetch` with, beside the request. */
export function patience(): object {
  // It is there once anything of fetch was touched.
  void globalThis.Headers;
  return current() === undefined ? {} : { dispatcher: PATIENT };
}

function current(): Dispatcher | undefined {
  return (globalThis as Record<symbol, unknown>)[CURRENT] as
    Dispatcher | undefined;
}
