import type { MessageDelta } from '../../message/delta';
import type { RunEvent } from '../../runs/run';
import type { Claim } from '../../runs/record/run.store';
import type { RunWriter } from '../../runs/worker/run.writer';
import type { CallWatcher, ChatObserver } from '../turns/chat.observer';
import { startedCall, toToolCallDto } from '../loop/chat.reply';
import type { ChatReply } from '../dto/chat-response.dto';
import type { Turn } from '../turns/chat.turn';
import { isToolCall } from '../turns/tool-call';
import {
  begunField,
  invocationIdOf,
  seenField,
  writeReply,
  writeResult,
  writeTurn,
} from './chat-record.codec';

/**
 * What a worker writes of a chat, with the events that tell of it in the same step: so nothing is told twice, and what
 * was done is known to whoever goes on with it.
 */
export class ChatRunWriter implements ChatObserver {
  constructor(
    private readonly writer: RunWriter,
    private readonly chat: Pick<Claim, 'id' | 'fields'>,
    /** What tools give is told: no guardrail has to see the answer first. */
    private readonly open: boolean,
  ) {}

  callsRequested(turn: Turn, index: number): Promise<void> {
    const told = this.open && turn.text !== '';
    return this.append(
      told ? [{ type: 'delta', data: said(index, turn.text) }] : [],
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
        const told = {
          call_id: call.callId,
          invocation_id,
          type,
          status,
          data: JSON.parse(data) as unknown,
        };
        return this.append([{ type: 'tool_progress', data: told }], {
          [seenField(index, at)]: String(seq),
        });
      },
    };
  }

  result(turn: Turn, index: number, at: number): Promise<void> {
    const made = turn.results[at]!;
    const contents = this.open ? made.output : [];
    const data = { ...toToolCallDto(made), contents };
    return this.append(
      isToolCall(made) ? [{ type: 'tool_result', data }] : [],
      writeResult(turn, index, at),
    );
  }

  /** The reply, with the rest of what is told: what comes after it is only the end. */
  reply(reply: ChatReply, turns: readonly Turn[]): Promise<void> {
    const { content, status } = reply;
    const answers = status === 'completed' && content !== null;
    return this.append(
      answers ? [{ type: 'delta', data: said(turns.length, content) }] : [],
      writeReply(reply),
      answers ? content : '',
    );
  }

  private append(
    events: RunEvent[],
    fields: Record<string, string>,
    text = '',
  ): Promise<void> {
    return this.writer.append({ events, fields, text });
  }
}

function said(index: number, text: string): MessageDelta {
  return { role: 'assistant', contents: [{ index, type: 'text', text }] };
}
