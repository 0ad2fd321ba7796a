import type { RunMetadata, Status } from '../record/run';

/** Which runs are asked for: those that have all of it. */
export interface RunFilterQuery {
  status?: Status;
  tool_name?: string;
  /** A part of the question or of the report, in upper or lower case. */
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

/** Whether a text has what is searched for. */
export type TextSearch = (text: string) => boolean;
export type RunFilter = (run: Brief) => boolean;

/** All but the search. */
export function filterOf(query: RunFilterQuery): RunFilter {
  const { status, tool_name, metadata } = query;
  const pairs = Object.entries(metadata ?? {});
  const { fromMs, toMs } = createdIn(query);
  return (run) =>
    (!status || status === run.status) &&
    (!tool_name || tool_name === run.tool) &&
    run.createdMs >= fromMs &&
    run.createdMs < toMs &&
    pairs.every(([key, value]) => has(run.metadata, key, value));
}

/** Undefined: nothing is searched for. */
export function textSearchOf({
  search,
}: RunFilterQuery): TextSearch | undefined {
  if (!search) return undefined;
  const wanted = folded(search);
  return (text) => folded(text).includes(wanted);
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
