import type {
  Citation,
  DeliverableFormat,
  Document,
  InvocationStatus,
  Priority,
  Source,
  Usage,
} from './types.js';

/** Of a chat; one that `requires_action` waits for a human, the last three are final. */
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
  /** Required unless `messages` is given, 1 to 32,000 characters. */
  message?: string;
  /** Earlier turns, oldest first. */
  messages?: Message[];
  /** Put before the message. */
  context?: string[];
  /** Put before the message, and given to the research. */
  documents?: Document[];
  /** False: no tools are offered to the model. */
  auto_tool_call?: boolean;
  /** The names of those that are offered; all that the key may use unless given. */
  tools?: string[];
  /** Whether, or which one, the model has to call. */
  tool_choice?: 'auto' | 'none' | 'required' | { name: string };
  /** Instead of the one that the service is set to. */
  model?: string;
  /** What tools see, and models do not. */
  tool_context?: Record<string, unknown>;
  /** How many researches the model may begin. */
  max_research?: number;
  /** Instructions for the research alone. */
  system_prompt?: string | null;
  deliverable_format?: DeliverableFormat | null;
  /** E.g. `Asia/Seoul`. */
  time_zone?: string | null;
  priority?: Priority;
  /** `auto`: the model may ask back. */
  clarification?: 'never' | 'auto';
  /** Answer at once with a `chat_id`; a worker carries the chat. */
  background?: boolean;
}

export interface ToolCall {
  tool_name: string;
  call_id: string;
  /** Null if they were no JSON object, or were refused. */
  arguments: Record<string, unknown> | null;
  invocation_id: string | null;
  /** Null if the token of the chat opens it. */
  invocation_token: string | null;
  status: InvocationStatus | null;
}

/** What a chat waits for; see `chats.approve` and `chats.answer`. */
export interface RequiredAction {
  approvals: {
    call_id: string;
    tool_name: string;
    arguments: Record<string, unknown> | null;
  }[];
  questions: { call_id: string; question: string }[];
}

/** What is not there is null. */
export interface ChatReply {
  status: ChatStatus;
  content: string | null;
  /** Whether a tool was run. */
  tool_called: boolean;
  tool_name: string | null;
  /** The report of the research. */
  research_summary: string | null;
  tool_calls: ToolCall[];
  response_id: string | null;
  usage: Usage | null;
  agent: string | null;
  /** The answer in the message format, with what the model thought; absent from what an older service replies. */
  message?: Message | null;
  /** Images that the answer came with. */
  contents: Record<string, unknown>[] | null;
  /** What the answer, or the research behind it, cites. */
  citations: Citation[] | null;
  sources: Source[] | null;
  /** Set if it refused the request or the answer. */
  guardrail: { stage: string; name: string; tool_name: string | null } | null;
  error: { code: string; message: string; retryable: boolean } | null;
  required_action: RequiredAction | null;
  /** Null if it is on no record. */
  chat_id: string | null;
  /** Opens the chat. The service says it once; what the client returns later carries the one it was asked with. */
  invocation_token: string | null;
  /** These four in replies of a chat on record. */
  created_at?: string;
  started_at?: string | null;
  completed_at?: string | null;
  expires_at?: string | null;
}
