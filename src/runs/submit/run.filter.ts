import type { RunMetadata, Status } from '../record/run';

/** Which runs are asked for: those that have all of it. */
export interface RunFilterQuery {
  status?: Status;
  tool_name?: string;
  /** A part of the question, in upper or lower case. */
  search?: string;
  metadata?: RunMetadata;
  /** Created at this time or later, and before that one. */
  from?: string;
  to?: string;
}

/** What a filter knows of a run. */
export interface Brief {
  status: string;
  tool: string;
  question: string | null;
  metadata: RunMetadata | null;
  createdMs: number;
}

export type RunFilter = (run: Brief) => boolean;

export function filterOf(query: RunFilterQuery): RunFilter {
  const { status, tool_name, search = '', metadata } = query;
  const wanted = folded(search);
  const pairs = Object.entries(metadata ?? {});
  const { fromMs, toMs } = createdIn(query);
  return (run) =>
    (!status || status === run.status) &&
    (!tool_name || tool_name === run.tool) &&
    run.createdMs >= fromMs &&
    run.createdMs < toMs &&
    pairs.every(([key, value]) => has(run.metadata, key, value)) &&
    folded(run.question ?? '').includes(wanted);
}

/** From the first time, and before the second. */
export function createdIn({ from, to }: RunFilterQuery) {
  return {
    fromMs: from === undefined ? 0 : Date.parse(from),
    toMs: to === undefined ? Infinity : Date.parse(to),
  };
}

function has(found: RunMetadata | null, key: string, value: string): boolean {
  return found !== null && Object.hasOwn(found, key) && found[key] === value;
}

/** Without the difference between upper and lower case, and between composed and decomposed characters. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}
