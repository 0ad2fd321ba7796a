import type { ChatList, ChatReply } from './chat-types.js';
import type { ChatEvent } from './event-types.js';
import { dataOf } from './http/event-stream.js';
import {
  Records,
  type RecordEventsOptions,
  type RecordOptions,
} from './http/records.js';
import type { CallOptions } from './http/clock.js';
import type { SseFrame } from './http/sse.js';
import type { Transport } from './http/transport.js';
import { searchOf } from './http/urls.js';
import type { ChatListQuery } from './options.js';

/** A stored chat: its id, or a reply that contains it, preferably with its token. */
export type ChatRef =
  string | { chat_id: string | null; invocation_token?: string | null };

export interface Approval {
  /** The `call_id` given in `required_action`. */
  call_id: string;
  approve: boolean;
  /** Passed to the model. */
  reason?: string | null;
}

export interface Answer {
  /** The `call_id` given in `required_action`. */
  call_id: string;
  answer: string;
}

/** Stored chats: started in the background or with an idempotency key, or suspended in `requires_action`. */
export class Chats {
  private readonly records: Records<ChatReply, ChatEvent>;

  constructor(private readonly transport: Transport) {
    this.records = new Records<ChatReply, ChatEvent>(
      transport,
      '/api/v1/chat',
      'chat_id',
      ({ status }) => status !== 'queued' && status !== 'running',
      chatEvent,
    );
  }

  /** Returns the current state of the chat. */
  get(ref: ChatRef, options?: RecordOptions): Promise<ChatReply> {
    return this.records.get(ref, options);
  }

  /** Lists the stored chats of this API key, newest first. */
  list(query: ChatListQuery = {}, options?: CallOptions): Promise<ChatList> {
    const path = `/api/v1/chat${searchOf(query)}`;
    return this.transport.json({ method: 'GET', path, retry: 'any' }, options);
  }

  /** Waits until the chat ends or requires action. Times out after 3,600 s unless `timeoutMs` is set. */
  wait(ref: ChatRef, options?: RecordOptions): Promise<ChatReply> {
    return this.records.wait(ref, options);
  }

  /** Yields every event once and in order. A broken connection is resumed after the last event received. */
  events(
    ref: ChatRef,
    options?: RecordEventsOptions,
  ): AsyncGenerator<ChatEvent> {
    return this.records.events(ref, options);
  }

  /** Cancels the chat and the tool runs that it started. */
  cancel(ref: ChatRef, options?: RecordOptions): Promise<ChatReply> {
    return this.records.cancel(ref, options);
  }

  /** Deletes the chat, cancelling it first if it is still running. */
  delete(ref: ChatRef, options?: RecordOptions): Promise<void> {
    return this.records.delete(ref, options);
  }

  /** Approves or rejects pending tool calls. The chat continues once every pending call has a decision. */
  approve(
    ref: ChatRef,
    approvals: Approval[],
    options: RecordOptions = {},
  ): Promise<ChatReply> {
    const body = { approvals };
    return this.records.request(
      ref,
      { method: 'POST', path: '/approvals', body },
      options,
    );
  }

  /** Answers the questions that the chat is waiting for. */
  answer(
    ref: ChatRef,
    answers: Answer[],
    options: RecordOptions = {},
  ): Promise<ChatReply> {
    const body = { answers };
    return this.records.request(
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
