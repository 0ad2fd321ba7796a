import type { MessageDelta } from '../../platform/message/delta';
import type { Part } from '../../platform/message/message';
import type { LogEvent } from '../../runs/record/run-event';
import type { ChatReply } from '../dto/chat-response.dto';
import type { Handoff } from '../turns/chat-agents';
import type { ToolCallView } from '../turns/tool-call-view';

/** The events of a chat, in order. Exactly one `completed` or `error` is the last. */
export type ChatEvent =
  /** Text and thinking of the model. Each turn has a text part of its own; the last one is the answer. */
  | { type: 'delta'; data: MessageDelta }
  | { type: 'tool_call'; data: ToolCallView }
  /** An event of the run that a call started. */
  | { type: 'tool_progress'; data: ToolProgress }
  /** `contents`: what the model receives. */
  | { type: 'tool_result'; data: ToolCallView & { contents: readonly Part[] } }
  | { type: 'handoff'; data: Handoff }
  | { type: 'completed'; data: ChatReply }
  /** A failure after the first text, which the answer can no longer replace. `reply`: what the tools of the chat gave. */
  | {
      type: 'error';
      data: {
        code: string;
        message: string;
        retryable?: boolean;
        reply?: ChatReply;
      };
    };

export interface ToolProgress extends Pick<LogEvent, 'type' | 'status'> {
  call_id: string;
  invocation_id: string;
  data: unknown;
}

export type EmitChatEvent = (event: ChatEvent) => void;
