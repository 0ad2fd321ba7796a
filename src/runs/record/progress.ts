export type ProgressKind =
  | 'web_search'
  | 'open_page'
  | 'find_in_page'
  | 'code_interpreter'
  | 'mcp'
  | 'file_search'
  | 'reasoning'
  | 'tool'
  // For the model endpoint, which cannot be reached or limits requests.
  | 'waiting';

export interface ProgressData {
  kind: ProgressKind;
  detail: string;
  /** How much of how much is done, if the tool reports it. */
  progress?: number;
  total?: number;
  /** Quotes that the agent has kept of the part of a page that it has read. */
  notes?: number;
}

const HEADS: Record<ProgressKind, string> = {
  web_search: 'Search: ',
  open_page: 'Page: ',
  find_in_page: 'In the page: ',
  code_interpreter: 'Code: ',
  mcp: 'Tool: ',
  file_search: 'Files: ',
  reasoning: '',
  tool: 'Tool: ',
  waiting: '',
};
const MAX_DETAIL = 2_000;

/** A step as a paragraph, for readers that show the thoughts of a model and nothing else of its work. */
export function progressText({ kind, detail }: ProgressData): string {
  return `${HEADS[kind] ?? ''}${detail.slice(0, MAX_DETAIL).toWellFormed()}\n\n`;
}
