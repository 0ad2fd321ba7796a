import type { ServerResponse } from 'node:http';

/** Proxies close connections that are silent for long. */
const KEEP_ALIVE_MS = 15_000;
const TICK_MS = 5_000;
const SILENT_TICKS = KEEP_ALIVE_MS / TICK_MS;

/** One timer serves all open streams, since there may be thousands. */
const silentTicks = new Map<ServerResponse, number>();
let timer: NodeJS.Timeout | undefined;

/** Sends a comment whenever nothing was sent on the stream for `KEEP_ALIVE_MS`. */
export function startKeepAlive(response: ServerResponse): void {
  silentTicks.set(response, 0);
  timer ??= setInterval(tick, TICK_MS).unref();
}

/** Call after every frame that is sent. */
export function resetKeepAlive(response: ServerResponse): void {
  silentTicks.set(response, 0);
}

export function stopKeepAlive(response: ServerResponse): void {
  silentTicks.delete(response);
  if (silentTicks.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function tick(): void {
  for (const [response, ticks] of silentTicks) {
    const due = ticks + 1 >= SILENT_TICKS;
    silentTicks.set(response, due ? 0 : ticks + 1);
    // A client that has not read the last frame gets no comment on top of it.
    if (due && !response.writableNeedDrain) response.write(': keep-alive\n\n');
  }
}
