import type { ChatReply, ChatStatus, Part, ToolCall } from './chat-types.js';
import type { MessageDelta } from './delta.js';
import type { InvocationStatus, Plan } from './types.js';

/** Stands for event types added by later versions. An enum, so that comparing `type` still narrows the known types. */
declare enum UnknownType {
  unrecognized = 'unrecognized',
}

interface InvocationFrame<Type extends string, Data> {
  /** Pass it as `lastEventId` to resume after this event. Absent from events that are not stored. */
  id?: string;
  type: Type;
  invocation_id: string;
  status: InvocationStatus;
  data: Data;
}

/** The requested position is unknown or no longer available; read the record instead. */
export interface Gap {
  id?: undefined;
  type: 'gap';
  data: { requested: string; earliest: string; latest: string };
}

/** An event of an invocation, discriminated by `type`. `completed`, `error` and `gap` are final. */
export type InvocationEvent =
  | InvocationFrame<'status', { mode: string }>
  /** `kind`: e.g. `web_search`, `open_page`, `reasoning`. */
  | InvocationFrame<'progress', { kind: string; detail: string | null }>
  /** The concatenation of all `text` is the `output_text` of the record. */
  | InvocationFrame<'output_text', { text: string }>
  /** The plan is to be decided on. */
  | InvocationFrame<'requires_action', { plan: Plan }>
  | InvocationFrame<'completed', { output_text: string }>
  /** The invocation failed, ended early or was cancelled. */
  | InvocationFrame<'error', { message: string; code: string }>
  | Gap
  | InvocationFrame<UnknownType, unknown>;

interface ChatFrame<Type extends string, Data> {
  id?: string;
  type: Type;
  data: Data;
}

/** An event of a chat, discriminated by `type`. `completed`, `error` and `gap` are final. */
export type ChatEvent =
  | ChatFrame<'status', { status: ChatStatus }>
  /** Output of the model. Each turn is a part with its own `index`; the last part is the answer. */
  | ChatFrame<'delta', MessageDelta>
  | ChatFrame<'tool_call', ToolCall>
  /** An event of the invocation that a tool call started. */
  | ChatFrame<'tool_progress', Record<string, unknown>>
  | ChatFrame<'tool_result', ToolCall & { contents: Part[] }>
  /** An agent has handed the conversation over to another one. */
  | ChatFrame<'handoff', { from: string; to: string }>
  /** An approval or an answer is pending; the record contains the details. */
  | ChatFrame<'requires_action', Record<string, unknown>>
  | ChatFrame<'completed', ChatReply>
  /** `reply`: of a chat that called tools, with what they gave. */
  | ChatFrame<'error', { message: string; code?: string; reply?: ChatReply }>
  | Gap
  | ChatFrame<UnknownType, unknown>;
