/** Requests and replies of Sonde, as described in `openapi.json`. Times are RFC 3339 in UTC. */

import type { CheckedBy, ResearchBudget, Verdict } from './evidence-types.js';

/** Status of an invocation. The last four are final. */
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

/** A PDF or DOCX of up to 3 MB, of which the service reads the text. */
export interface FileDocument {
  /** Its file name unless given, or else the title that it has itself. */
  title?: string;
  filename?: string;
  /** In base64, by itself or as a data URL. */
  file_data: string;
}

/** Arguments of `deep_research`, without `background` and `stream`, which `submit` and `invoke` set. */
export interface DeepResearchArguments {
  /** The question, understandable without further context; 1 to 32,000 characters. */
  research_question: string;
  /** Instructions for the research model. */
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
  /** Facts to start from. */
  context?: string[];
  /** Limits that the research must respect. */
  constraints?: string[];
  /** Sources supplied by the caller. */
  documents?: (Document | FileDocument)[];
  /** `markdown_brief` unless given. */
  deliverable_format?: DeliverableFormat;
  /** True unless given. */
  require_citations?: boolean;
  data_sources?: 'web' | 'private' | 'web_then_private' | 'web_and_private';
  /** What carries the run; `auto` unless given. */
  engine?: 'auto' | 'hosted' | 'agent' | 'plain';
  /** How far the agent goes; `auto` unless given. */
  depth?: 'auto' | 'quick' | 'standard' | 'deep';
  /** Limits of the agent, where they are narrower than those of the depth. */
  budget?: ResearchBudget;
  /** Compares the agent's sentences with their quotes: as texts, also by a model, or dropping those at fault; `check` unless given. */
  verify?: 'off' | 'rules' | 'check' | 'enforce';
  /** `review`: the agent searches nothing before `decidePlan` approves its plan. */
  plan?: 'auto' | 'review';
  /** A finished `deep_research` of the same caller that the question follows up. */
  previous_invocation_id?: string;
}

/** Arguments of the tool with this name. */
export type ArgumentsOf<Name extends string> = Name extends 'deep_research'
  ? DeepResearchArguments
  : Record<string, unknown>;

export interface Citation {
  url: string;
  title: string;
  /** Position in Unicode code points: `Array.from(text).slice(start_index, end_index)`. */
  start_index: number;
  end_index: number;
  /** Position of the sentence or table cell that cites, where the one above is that of its mark. */
  sentence_start?: number;
  sentence_end?: number;
  /** The words of the source; research by the agent only. */
  quote?: string;
  /** The number of its source; research by the agent only. */
  source?: number;
  /** What was found when the sentence was compared with its quotes; like the following, research by the agent only. */
  verdict?: Verdict;
  checked_by?: CheckedBy;
  /** The word or phrase of the sentence that differs, or what it lacks. */
  detail?: string;
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

export interface Cost {
  currency: 'USD';
  /** Null for chats, and runs without a plan. */
  estimated: number | null;
  /** The most that calls under way cost. Null for chats. */
  reserved: number | null;
  spent: number;
  source: 'gateway' | 'prices';
}

/** Limits of a run; null: it has no such limit. */
export interface RunLimits {
  max_searches: number | null;
  max_pages: number | null;
  max_tokens: number | null;
  /** From its begin, without the wait for a decision on its plan. */
  max_seconds: number;
  max_cost_usd: number | null;
}

/** The record of a tool run. Values that are not available yet are null. */
export interface Invocation {
  invocation_id: string;
  tool_name: string;
  /** The question of the run. Older services omit it. */
  question?: string | null;
  /** At most nine words: of the heading of the report, or else of the question. Older services omit it, and the seven below. */
  title?: string | null;
  metadata?: Record<string, string> | null;
  /** What an unfinished run waits for; null while it goes on. */
  waiting_for?:
    'time' | 'place' | 'budget' | 'worker' | 'endpoint' | 'approval' | null;
  /** The research that it follows up. */
  parent?: string | null;
  /** What follows it up, oldest first. */
  follow_ups?: string[];
  /** It does not expire until it is released. */
  kept?: boolean;
  /** Of an operator who has ended it. */
  cancel_reason?: string | null;
  mode: 'foreground' | 'background' | 'stream';
  status: InvocationStatus;
  priority: Priority;
  deliverable_format: string | null;
  /** Position among the runs that wait to start, from 1. */
  queue_position: number | null;
  /**
   * Grants access to the record. The service returns it once; later results carry the token that the call was made
   * with.
   */
  invocation_token: string | null;
  upstream_response_id: string | null;
  /** Set when `completed` or `incomplete`. */
  output_text: string | null;
  citations: Citation[] | null;
  /** Every source consulted, cited or not. */
  sources: Source[] | null;
  usage: (Usage & { tool_calls: number }) | null;
  progress: Progress | null;
  /** What carries research: `hosted`, `agent` or `plain`. Older services omit it, and the six fields below. */
  engine?: string | null;
  /** Whether any search is on record; null where that is not known. */
  searched?: boolean | null;
  /** The output is a question to the caller instead of a report. */
  asks?: boolean | null;
  model?: string | null;
  /** Steps of research by the agent. */
  steps?: {
    settled: number;
    repeated: number;
    skipped: number;
    /** Attempts that may have been paid for without a result. */
    ambiguous: string[];
  } | null;
  /** The limits at which research by the agent stopped, e.g. `max_pages`. */
  limits_reached?: string[] | null;
  /** The run that this one continues, see `continueRun`. Older services omit it, and the four fields below. */
  continued_from?: string | null;
  /** What the runs that it continues have used; `usage` and `cost` are of this run alone. */
  inherited?: { usage: Invocation['usage']; cost_usd: number | null } | null;
  /** The plan of research by the agent. */
  plan?: Plan | null;
  /** Of a run of the agent that has a plan. Older services omit it. */
  limits?: RunLimits | null;
  /** What a run in `requires_action` waits for. */
  required_action?: { plan: Plan } | null;
  /** Where the gateway or the configured prices say it. */
  cost?: Cost | null;
  /** The unmodified response of the model endpoint. */
  response: Record<string, unknown> | null;
  /** Output of a tool other than research, as parts of the message format. */
  contents: Record<string, unknown>[] | null;
  /** Safe to show to users. */
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

export interface Direction {
  title: string;
  /** 1 to 4. */
  queries: string[];
}

export interface Plan {
  /** As they were edited, if they were. */
  directions: Direction[];
  /** What a run would use that reaches all its searches and pages; only of a plan that is reviewed. */
  estimate: {
    searches: number;
    pages: number;
    model_calls: number;
    tokens: number;
    cost_usd: number | null;
    minutes: number;
  } | null;
  review: 'approved' | 'edited' | 'refused' | null;
  reason: string | null;
}

export interface PlanDecision {
  /** False: the run ends as `cancelled`. */
  approve: boolean;
  /** Replaces the proposed directions, 1 to 6. */
  plan?: { directions: Direction[] };
  /** Kept in the record. */
  reason?: string;
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
  /** JSON Schema of the result, if the tool declares one. */
  returns: Record<string, unknown> | null;
  /** `builtin`, or `mcp:<server>`. */
  source: string;
  annotations?: Record<string, unknown>;
}

export interface ToolList {
  tools: Tool[];
}
