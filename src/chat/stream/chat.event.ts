import type { MessageDelta } from '../../message/delta';
import type { Part } from '../../message/message';
import type { LogEvent } from '../../runs/run';
import type { ChatReply } from '../dto/chat-response.dto';
import type { ToldCall } from '../loop/chat.reply';

/** What happens in a chat, in the order in which it does. The last one is `completed` or `error`, and there is one. */
export type ChatEvent =
  /** What the model says and thinks. The text of each turn is a part of its own; the last one is the answer. */
  | { type: 'delta'; data: MessageDelta }
  | { type: 'tool_call'; data: ToldCall }
  /** An event of the invocation that a call began. */
  | { type: 'tool_progress'; data: ToolProgress }
  /** `contents`: what the model is told. */
  | { type: 'tool_result'; data: ToldCall & { contents: readonly Part[] } }
  | { type: 'completed'; data: ChatReply }
  /** Something was told already, so that no other answer can be given. */
  | { type: 'error'; data: { code: string; message: string } };

export interface ToolProgress extends Pick<LogEvent, 'type' | 'status'> {
  call_id: string;
  invocation_id: string;
  data: unknown;
}

export type TellChat = (event: ChatEvent) => void;
