import { AsyncLocalStorage } from 'node:async_hooks';

/** What a tool does beside its own promise, e.g. in a timer: whom an error there is to be told. */
export const toolScope = new AsyncLocalStorage<(error: unknown) => void>();
