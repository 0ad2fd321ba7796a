import type { ChatFunction } from './functions.js';
import type {
  Citation,
  Cost,
  DeliverableFormat,
  Document,
  InvocationStatus,
  Priority,
  Source,
  Usage,
} from './types.js';

/** Status of a chat. `requires_action` means that an approval or an answer is pending; the last three are final. */
export type ChatStatus =
  | 'queued'
  | 'running'
  | 'requires_action'
  | 'completed'
  | 'failed'
  | 'cancelled';

/** A part of a message. */
export type Part =
  | { type: 'text'; text: string }
  | {
      type: 'image';
      image: { url?: string; data?: string; mime_type?: string };
    }
  | {
      type: 'function';
      function: { id?: string; name: string; arguments: string };
    }
  | { type: 'value'; value: unknown };

export interface Message {
  id?: string;
  role: 'system' | 'user' | 'assistant' | 'tool';
  contents: Part[];
  thinking?: string;
  tool_calls?: {
    type: 'function';
    id?: string;
    function: { name: string; arguments: Record<string, unknown> };
  }[];
  tool_call_id?: string;
  name?: string;
}

export interface ChatRequest {
  /** Required unless `messages` is given; 1 to 32,000 characters. */
  message?: string;
  /** Earlier turns, oldest first. */
  messages?: Message[];
  /** Up to 16 pairs that are kept with a stored chat. */
  metadata?: Record<string, string>;
  /** Prepended to the message. */
  context?: string[];
  /** Prepended to the message and passed to the research tool. */
  documents?: Document[];
  /** `false` makes no tools available to the model. */
  auto_tool_call?: boolean;
  /** Names of the tools available to the model; defaults to all that the API key may use. */
  tools?: string[];
  /** Whether the model must call a tool, or which one. */
  tool_choice?: 'auto' | 'none' | 'required' | { name: string };
  /** Functions of the caller, offered to the model beside the tools. */
  functions?: readonly ChatFunction[];
  /** `false` asks the model for at most one call in a turn. */
  parallel_tool_calls?: boolean;
  /** Overrides the default model of the service. */
  model?: string;
  /** Passed to tools, never to models. */
  tool_context?: Record<string, unknown>;
  /** Maximum number of research runs that the model may start. */
  max_research?: number;
  /** Instructions for the research only. */
  system_prompt?: string | null;
  deliverable_format?: DeliverableFormat | null;
  /** E.g. `Asia/Seoul`. */
  time_zone?: string | null;
  priority?: Priority;
  /** `auto` lets the model ask clarifying questions. */
  clarification?: 'never' | 'auto';
  /** Returns immediately with a `chat_id`; a worker runs the chat. */
  background?: boolean;
}

/** Why a chat, a tool or research failed. */
export interface ChatError {
  code: string;
  /** Safe to show. */
  message: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
}

export interface ToolCall {
  tool_name: string;
  call_id: string;
  /** Null if the model sent no JSON object or the arguments were rejected. */
  arguments: Record<string, unknown> | null;
  invocation_id: string | null;
  /** Null if the token of the chat grants access. */
  invocation_token: string | null;
  status: InvocationStatus | null;
  /** Why the tool failed, or ended early. Older services omit it. */
  error?: ChatError | null;
}

/** The approvals and answers that a chat is waiting for; see `chats.approve` and `chats.answer`. */
export interface RequiredAction {
  approvals: {
    call_id: string;
    tool_name: string;
    arguments: Record<string, unknown> | null;
  }[];
  questions: { call_id: string; question: string }[];
}

/** A stored chat without its answer, which `chats.get` returns. */
export type ListedChat = Required<
  Pick<
    ChatReply,
    | 'status'
    | 'cost'
    | 'error'
    | 'question'
    | 'metadata'
    | 'created_at'
    | 'started_at'
    | 'completed_at'
    | 'expires_at'
  >
> & { chat_id: string };

export interface ChatList {
  /** Newest first. */
  data: ListedChat[];
  has_more: boolean;
  /** The `cursor` of the next page. */
  next_cursor: string | null;
}

/** Absent values are null. */
export interface ChatReply {
  status: ChatStatus;
  content: string | null;
  /** Whether at least one tool was run. */
  tool_called: boolean;
  tool_name: string | null;
  /** The report of the research. */
  research_summary: string | null;
  tool_calls: ToolCall[];
  response_id: string | null;
  usage: Usage | null;
  /** Of all turns of the model, where it is known; research has its own in its record. Older services omit it. */
  cost?: Cost | null;
  agent: string | null;
  /** The answer in the message format, including the model's thinking. Older services omit it. */
  message?: Message | null;
  /** Images returned with the answer. */
  contents: Record<string, unknown>[] | null;
  /** Citations of the answer, or of the research behind it. */
  citations: Citation[] | null;
  sources: Source[] | null;
  /** Set if a guardrail blocked the request or the answer. */
  guardrail: { stage: string; name: string; tool_name: string | null } | null;
  error: ChatError | null;
  required_action: RequiredAction | null;
  /**
   * Only if `message` calls functions that the client does not run: the next request has it in `messages`, after those
   * of this one, and then a `tool` message for each of the calls.
   */
  continuation?: Message[];
  /** Null if the chat is not stored. */
  chat_id: string | null;
  /**
   * Grants access to the chat. The service returns it once; later results carry the token that the call was made
   * with.
   */
  invocation_token: string | null;
  /** The last message of the user, at most its first 1,000 characters. Only in replies of stored chats; older services omit it. */
  question?: string | null;
  metadata?: Record<string, string> | null;
  /** The next four are present in replies of stored chats only. */
  created_at?: string;
  started_at?: string | null;
  completed_at?: string | null;
  expires_at?: string | null;
}
