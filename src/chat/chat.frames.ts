import type { SseFrame } from '../http/sse';
import type { ChatEvent, TellChat } from './chat.event';

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
