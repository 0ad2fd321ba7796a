import type { MessageDelta } from '../../platform/message/delta';
import type { RunEvent } from '../../runs/record/run-event';
import type { Claim } from '../../runs/store/run.store';
import type { RunWriter } from '../../runs/worker/run-writer';
import { handoffMade } from '../turns/chat-agents';
import type { CallWatcher, ChatObserver } from '../turns/chat-observer';
import { endedCall, startedCall } from '../turns/tool-call-view';
import type { ChatReply } from '../dto/chat-response.dto';
import type { Turn } from '../turns/chat-turn';
import { isToolCall } from '../turns/tool-call';
import {
  begunField,
  type ChatField,
  type ChatFields,
  seenField,
} from './chat-fields';
import {
  invocationIdOf,
  writeReply,
  writeResult,
  writeTurn,
} from './chat-record-codec';

/**
 * Writes each step of a chat together with its events, atomically: events are never duplicated, and a worker that takes
 * over knows every step that was taken.
 */
export class ChatRunWriter implements ChatObserver {
  constructor(
    private readonly writer: RunWriter,
    private readonly chat: Pick<Claim<ChatField>, 'id' | 'fields'>,
    /** Texts and tool results are sent as they come: no output guardrail checks them first. */
    private readonly open: boolean,
  ) {}

  turnTaken(turn: Turn, index: number): Promise<void> {
    // What an agent answers another is no text for the user.
    const sent = this.open && !turn.within && turn.text !== '';
    return this.append(
      sent ? [{ type: 'delta', data: textDelta(index, turn.text) }] : [],
      writeTurn(turn, index),
    );
  }

  watch(turn: Turn, index: number, at: number): CallWatcher {
    const { fields, id } = this.chat;
    const call = turn.calls[at];
    const begun = fields[begunField(index, at)] !== undefined;
    return {
      invocationId: invocationIdOf(id, turn, index, at),
      seenSeq: Number(fields[seenField(index, at)] ?? 0),
      started: (made) => {
        if (begun) return;
        const data = startedCall(call, made);
        return this.append([{ type: 'tool_call', data }], {
          [begunField(index, at)]: '1',
        });
      },
      event: (invocation_id, { seq, type, status, data }) => {
        // The text is in the result, and in the log of the invocation.
        if (type === 'output_text') return;
        const progress = {
          call_id: call.callId,
          invocation_id,
          type,
          status,
          data: JSON.parse(data) as unknown,
        };
        return this.append([{ type: 'tool_progress', data: progress }], {
          [seenField(index, at)]: String(seq),
        });
      },
    };
  }

  result(turn: Turn, index: number, at: number): Promise<void> {
    const made = turn.results[at]!;
    const handoff = handoffMade(turn, at);
    const events: RunEvent[] = isToolCall(made)
      ? [{ type: 'tool_result', data: endedCall(made, this.open) }]
      : handoff
        ? [{ type: 'handoff', data: handoff }]
        : [];
    return this.append(events, writeResult(turn, index, at));
  }

  /** Writes the reply with its text; only the end comes after it. */
  reply(reply: ChatReply, turns: readonly Turn[]): Promise<void> {
    const { content, status, continuation } = reply;
    const answers = status === 'completed' && content !== null;
    // The text of a turn with calls was sent when they were requested.
    const sent = this.open && continuation !== undefined;
    return this.append(
      answers && !sent
        ? [{ type: 'delta', data: textDelta(turns.length, content) }]
        : [],
      writeReply(reply),
      answers ? content : '',
    );
  }

  private append(
    events: RunEvent[],
    fields: ChatFields,
    text = '',
  ): Promise<void> {
    return this.writer.append({ events, fields, text });
  }
}

function textDelta(index: number, text: string): MessageDelta {
  return { role: 'assistant', contents: [{ index, type: 'text', text }] };
}
