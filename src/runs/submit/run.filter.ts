import type { Status } from '../record/run';

/** Which runs are asked for: those that have all of it. */
export interface RunFilterQuery {
  status?: Status;
  tool_name?: string;
  /** A part of the question, in upper or lower case. */
  search?: string;
}

interface Brief {
  status?: string;
  tool?: string;
  question?: string | null;
}

export type RunFilter = (run: Brief) => boolean;

export function filterOf(query: RunFilterQuery): RunFilter {
  const { status, tool_name, search = '' } = query;
  const wanted = folded(search);
  return (run) =>
    (!status || status === run.status) &&
    (!tool_name || tool_name === run.tool) &&
    folded(run.question ?? '').includes(wanted);
}

/** Without the difference between upper and lower case, and between composed and decomposed characters. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}
