import { extractPage, isAllowed } from './page-extraction';

/** The entry of a thread of `ExtractionPool`, which names its functions. */
export { extractPage, isAllowed };

/** Answers once everything is loaded. */
export const ready = (): void => undefined;
