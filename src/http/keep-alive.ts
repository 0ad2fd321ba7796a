import type { ServerResponse } from 'node:http';

const TICK_MS = 5_000;
/** Proxies cut connections that are silent for long: 3 ticks are 15 s. */
const QUIET_TICKS = 3;

/** One timer for all open streams, however many thousands they are. */
const quietTicks = new Map<ServerResponse, number>();
let timer: NodeJS.Timeout | undefined;

export function keepAlive(response: ServerResponse): void {
  quietTicks.set(response, 0);
  timer ??= setInterval(tick, TICK_MS).unref();
}

/** Something was sent: the silence starts anew. */
export function spoke(response: ServerResponse): void {
  quietTicks.set(response, 0);
}

export function letGo(response: ServerResponse): void {
  quietTicks.delete(response);
  if (quietTicks.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function tick(): void {
  for (const [response, ticks] of quietTicks) {
    const quiet = ticks + 1 >= QUIET_TICKS;
    quietTicks.set(response, quiet ? 0 : ticks + 1);
    // A reader that has not taken the last frame gets no comment on top of it.
    if (quiet && !response.writableNeedDrain)
      response.write(': keep-alive\n\n');
  }
}
