import { withRetries } from './retry';
import type { TurnClock } from './turn.clock';
import type { UpstreamClient } from './upstream.client';
import { UpstreamError } from './upstream.error';

/**
 * Asks for one turn of a model, and again if that failed in passing.
 * @throws UpstreamError, or the reason of the clock's signal.
 */
export function postTurn<T extends object>(
  upstream: UpstreamClient,
  path: '/responses' | '/chat/completions',
  body: object,
  clock: TurnClock,
): Promise<T> {
  const { signal } = clock;
  return withRetries(clock, async () => {
    const reply = await upstream.json<T | null>({
      method: 'POST',
      path,
      body,
      signal,
    });
    if (typeof reply === 'object' && reply !== null) return reply;
    throw new UpstreamError('upstream_error', 'unknown');
  });
}
