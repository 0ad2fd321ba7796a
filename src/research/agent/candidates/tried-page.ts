import type { Range } from '../agent.types';

/** A page that this run has opened, or has tried to open. */
export interface TriedPage {
  /** The number of its source; undefined: it could not be read. */
  source?: number;
  /** What of its text was read, in the order of reading. */
  read: readonly Range[];
  /** What it was opened for, see `soughtBy`. */
  sought: readonly string[];
  /** No part is left that is worth reading. */
  whole: boolean;
}
