/** What Sonde is asked and what it replies, as its `openapi.json` has it. Times are RFC 3339 in UTC. */

/** Of an invocation. The last four are final. */
export type InvocationStatus =
  | 'queued'
  | 'running'
  | 'requires_action'
  | 'completed'
  | 'incomplete'
  | 'failed'
  | 'cancelled';

export type Priority = 'high' | 'normal' | 'low';

export type DeliverableFormat =
  'markdown_brief' | 'markdown_report' | 'json_outline';

export interface Document {
  title: string;
  text: string;
}

/** What `deep_research` takes; `background` and `stream` are for `submit` and `invoke` to say. */
export interface DeepResearchArguments {
  /** Complete in itself, 1 to 32,000 characters. */
  research_question: string;
  /** Instructions to the researching model. */
  system_prompt?: string;
  text_format?:
    | { type: 'text' }
    | { type: 'json_object' }
    | {
        type: 'json_schema';
        name: string;
        schema: Record<string, unknown>;
        strict?: boolean;
      };
  /** Facts that the answer should start from. */
  context?: string[];
  /** Limits that the research must keep to. */
  constraints?: string[];
  /** The caller's own sources. */
  documents?: Document[];
  /** `markdown_brief` unless given. */
  deliverable_format?: DeliverableFormat;
  /** True unless given. */
  require_citations?: boolean;
  data_sources?: 'web' | 'private' | 'web_then_private' | 'web_and_private';
}

/** Arguments of a tool of this name. */
export type ArgumentsOf<Name extends string> = Name extends 'deep_research'
  ? DeepResearchArguments
  : Record<string, unknown>;

export interface Citation {
  url: string;
  title: string;
  /** In Unicode code points: `Array.from(text).slice(start_index, end_index)`. */
  start_index: number;
  end_index: number;
}

export interface Source {
  url: string;
  title: string;
}

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

/** The record of what a tool was asked and gave. What is not there yet is null. */
export interface Invocation {
  invocation_id: string;
  tool_name: string;
  /** What was asked; absent from what an older service replies. */
  question?: string | null;
  mode: 'foreground' | 'background' | 'stream';
  status: InvocationStatus;
  priority: Priority;
  deliverable_format: string | null;
  /** Among those that wait to begin, from 1. */
  queue_position: number | null;
  /** Opens the record. The service says it once; what the client returns later carries the one it was asked with. */
  invocation_token: string | null;
  upstream_response_id: string | null;
  /** When `completed` or `incomplete`. */
  output_text: string | null;
  citations: Citation[] | null;
  /** Every source that was consulted, cited or not. */
  sources: Source[] | null;
  usage: (Usage & { tool_calls: number }) | null;
  progress: Progress | null;
  /** The raw response of the upstream. */
  response: Record<string, unknown> | null;
  /** What a tool other than research gave, in parts of the message format. */
  contents: Record<string, unknown>[] | null;
  /** Safe to show. */
  error_message: string | null;
  error: { code: string; retryable: boolean } | null;
  webhook: {
    status: 'pending' | 'delivered' | 'failed';
    url: string;
    attempts: number;
  } | null;
  created_at: string;
  due_at: string | null;
  started_at: string | null;
  completed_at: string | null;
  expires_at: string | null;
}

export interface Progress {
  searches: number;
  pages_opened: number;
  last_step: string | null;
}

export interface InvocationList {
  /** Newest first. */
  data: Invocation[];
  has_more: boolean;
  /** The `cursor` of the next page. */
  next_cursor: string | null;
}

export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
  /** JSON Schema of the result, where the tool tells. */
  returns: Record<string, unknown> | null;
  /** `builtin`, or `mcp:<server>`. */
  source: string;
  annotations?: Record<string, unknown>;
}

export interface ToolList {
  tools: Tool[];
}
