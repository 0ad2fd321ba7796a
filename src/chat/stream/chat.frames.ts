import type { SseFrame } from '../../http/sse';
import { eventFrames } from '../../runs/events/event.frames';
import type { LogEvent } from '../../runs/run';
import type { RunRecord } from '../../runs/record/run.record';
import type { RunsService } from '../../runs/runs.service';
import type { ChatEvent, TellChat } from './chat.event';
import { chatView } from '../chat.view';

/**
 * The frames of what `work` tells, numbered from 1, until it is done. A reader that is slow holds nobody up: what waits
 * for it is no more than the model says and its tools give.
 */
export async function* chatFrames(
  work: (tell: TellChat) => Promise<void>,
): AsyncGenerator<SseFrame> {
  const waiting: ChatEvent[] = [];
  let wake = (): void => undefined;
  let done = false;
  const worked = work((event) => {
    waiting.push(event);
    wake();
  }).finally(() => {
    done = true;
    wake();
  });
  // Awaited below, but perhaps only after it has failed.
  worked.catch(() => undefined);
  for (let id = 1; ;) {
    for (const { type, data } of waiting.splice(0))
      yield { id: String(id++), event: type, data };
    if (waiting.length > 0) continue;
    if (done) break;
    await new Promise<void>((resolve) => (wake = resolve));
  }
  await worked;
}

/** The frames of a chat that is on record, after `cursor`. */
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
