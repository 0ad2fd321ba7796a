import { AsyncLocalStorage } from 'node:async_hooks';

/** Receives errors that a tool raises outside its promise, e.g. in a timer. */
export const toolScope = new AsyncLocalStorage<(error: unknown) => void>();
