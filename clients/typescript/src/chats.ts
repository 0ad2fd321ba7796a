import type { ChatReply } from './chat-types.js';
import type { ChatEvent } from './event-types.js';
import { dataOf } from './follow.js';
import {
  Records,
  type RecordEventsOptions,
  type RecordOptions,
} from './records.js';
import type { SseFrame } from './sse.js';
import type { Transport } from './transport.js';

/** A chat on record: its id, or a reply that has it, best with its token. */
export type ChatRef =
  string | { chat_id: string | null; invocation_token?: string | null };

export interface Approval {
  /** Of `required_action`. */
  call_id: string;
  approve: boolean;
  /** Told to the model. */
  reason?: string | null;
}

export interface Answer {
  /** Of `required_action`. */
  call_id: string;
  answer: string;
}

/** Chats on record: begun in the background, under an idempotency key, or waiting for a human. */
export class Chats {
  private readonly records: Records<ChatReply, ChatEvent>;

  constructor(transport: Transport) {
    this.records = new Records<ChatReply, ChatEvent>(
      transport,
      '/api/v1/chat',
      'chat_id',
      ({ status }) => status !== 'queued' && status !== 'running',
      chatEvent,
    );
  }

  /** The chat as it is now. */
  get(ref: ChatRef, options?: RecordOptions): Promise<ChatReply> {
    return this.records.get(ref, options);
  }

  /** The chat once it has ended or waits for a human; 3,600 s unless `timeoutMs` says otherwise. */
  wait(ref: ChatRef, options?: RecordOptions): Promise<ChatReply> {
    return this.records.wait(ref, options);
  }

  /** Every event once and in order; goes on behind the last one when the connection breaks. */
  events(
    ref: ChatRef,
    options?: RecordEventsOptions,
  ): AsyncGenerator<ChatEvent> {
    return this.records.events(ref, options);
  }

  /** Stops it, and what its tools do. */
  cancel(ref: ChatRef, options?: RecordOptions): Promise<ChatReply> {
    return this.records.cancel(ref, options);
  }

  /** Stops it if needed, and forgets it. */
  delete(ref: ChatRef, options?: RecordOptions): Promise<void> {
    return this.records.delete(ref, options);
  }

  /** Decides on the calls that it waits for; it goes on when the last one is decided. */
  approve(
    ref: ChatRef,
    approvals: Approval[],
    options: RecordOptions = {},
  ): Promise<ChatReply> {
    const body = { approvals };
    return this.records.ask(
      ref,
      { method: 'POST', path: '/approvals', body },
      options,
    );
  }

  /** Answers what it asks. */
  answer(
    ref: ChatRef,
    answers: Answer[],
    options: RecordOptions = {},
  ): Promise<ChatReply> {
    const body = { answers };
    return this.records.ask(
      ref,
      { method: 'POST', path: '/answers', body },
      options,
    );
  }
}

export function chatEvent(frame: SseFrame): ChatEvent {
  const { id, event } = frame;
  return { ...(id && { id }), type: event, data: dataOf(frame) } as ChatEvent;
}
