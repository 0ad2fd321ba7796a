import type { SseFrame } from '../../platform/http/sse';
import { eventFrames } from '../../runs/http/events/event-frames';
import type { LogEvent } from '../../runs/record/run-event';
import type { RunRecord } from '../../runs/record/run-record';
import type { RunsService } from '../../runs/runs.service';
import type { ChatEvent, EmitChatEvent } from './chat-event';
import { chatView } from '../loop/chat-view';

/** The frames of the events that `work` emits, numbered from 1, until it ends. */
export async function* chatFrames(
  work: (emit: EmitChatEvent) => Promise<void>,
): AsyncGenerator<SseFrame> {
  let id = 1;
  for await (const { type, data } of chatEvents(work))
    yield { id: String(id++), event: type, data };
}

/**
 * The events that `work` emits until it ends. A slow reader never delays the work: unread events are buffered, at most the
 * output of the model and its tools.
 */
export async function* chatEvents(
  work: (emit: EmitChatEvent) => Promise<void>,
): AsyncGenerator<ChatEvent> {
  const unread: ChatEvent[] = [];
  let wake = (): void => undefined;
  let done = false;
  const ended = work((event) => {
    unread.push(event);
    wake();
  }).finally(() => {
    done = true;
    wake();
  });
  // Awaited below, possibly after it has rejected.
  ended.catch(() => undefined);
  for (;;) {
    yield* unread.splice(0);
    if (unread.length > 0) continue;
    if (done) break;
    await new Promise<void>((resolve) => (wake = resolve));
  }
  await ended;
}

/** The frames of a chat on record, after `cursor`. */
export function recordFrames(
  invocations: RunsService,
  record: RunRecord,
  cursor: number,
  signal: AbortSignal,
): AsyncGenerator<SseFrame> {
  const toFrame = async (
    chatId: string,
    { seq, type, status, data }: LogEvent,
  ): Promise<SseFrame> => {
    const id = String(seq);
    if (type === 'status') return { id, event: type, data: { status } };
    if (type !== 'completed') return { id, event: type, json: data };
    return { id, event: type, data: chatView(await invocations.read(chatId)) };
  };
  return eventFrames(invocations, record, cursor, signal, toFrame);
}
