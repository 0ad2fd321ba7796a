import type { ChatReply, ChatStatus, Part, ToolCall } from './chat-types.js';
import type { MessageDelta } from './delta.js';
import type { InvocationStatus } from './types.js';

/** Any type of event that this client has never heard of. An enum only so that `type` tells the others apart from it. */
declare enum UnknownType {
  unheardOf = 'unheard of',
}

interface InvocationFrame<Type extends string, Data> {
  /** Where to go on with `lastEventId`; absent from what has no place in the log. */
  id?: string;
  type: Type;
  invocation_id: string;
  status: InvocationStatus;
  data: Data;
}

/** The place asked for is no longer kept, or never was: read the record. */
export interface Gap {
  id?: undefined;
  type: 'gap';
  data: { requested: string; earliest: string; latest: string };
}

/** What happens to an invocation, told apart by `type`. `completed`, `error` and `gap` are the last. */
export type InvocationEvent =
  | InvocationFrame<'status', { mode: string }>
  /** `kind`: e.g. `web_search`, `open_page`, `reasoning`. */
  | InvocationFrame<'progress', { kind: string; detail: string | null }>
  /** All `text` joined is the `output_text` of the record. */
  | InvocationFrame<'output_text', { text: string }>
  | InvocationFrame<'completed', { output_text: string }>
  /** It failed, ended early or was cancelled. */
  | InvocationFrame<'error', { message: string; code: string }>
  | Gap
  | InvocationFrame<UnknownType, unknown>;

interface ChatFrame<Type extends string, Data> {
  id?: string;
  type: Type;
  data: Data;
}

/** What happens in a chat, told apart by `type`. `completed`, `error` and `gap` are the last. */
export type ChatEvent =
  | ChatFrame<'status', { status: ChatStatus }>
  /** What the model says: each of its turns is a part with an `index` of its own, the last is the answer. */
  | ChatFrame<'delta', MessageDelta>
  | ChatFrame<'tool_call', ToolCall>
  /** An event of the invocation that a call began. */
  | ChatFrame<'tool_progress', Record<string, unknown>>
  | ChatFrame<'tool_result', ToolCall & { contents: Part[] }>
  /** It waits for a human; read the record for what. */
  | ChatFrame<'requires_action', Record<string, unknown>>
  | ChatFrame<'completed', ChatReply>
  | ChatFrame<'error', { message: string; code?: string }>
  | Gap
  | ChatFrame<UnknownType, unknown>;
