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
