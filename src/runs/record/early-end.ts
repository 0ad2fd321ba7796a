import type { RunRecord } from './run-record';

type Ended = Pick<RunRecord, 'error'>['error'];

/** What stands before a text that ended early, wherever no status stands beside it. */
export function earlyEnd(error: Ended): string {
  return `[This ended early: ${error?.message ?? 'the work was not finished.'}]\n\n`;
}

/** The same for a text that programs may parse: an object stays one. */
export function earlyEndOf(text: string, error: Ended): string {
  return text.trimStart().startsWith('{') ? '' : earlyEnd(error);
}
