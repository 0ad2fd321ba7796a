import { createParser } from 'eventsource-parser';
import { connectionError, UpstreamError } from './upstream-error';

/** An event may hold the whole response. A larger event fails the stream, and the response is fetched instead. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/**
 * The events of a stream of either protocol, in the batches in which they arrive. Comments, frames without an event name,
 * `[DONE]` and unknown types are tolerated. The end of the iteration does not prove that the run ended.
 * @throws UpstreamError when the stream breaks, or contains invalid JSON or an event over `maxBytes`; or the signal's
 * reason.
 */
export async function* readEvents<E>(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  maxBytes = MAX_EVENT_BYTES,
): AsyncGenerator<E[]> {
  let batch: E[] = [];
  /** Bytes of the event that is being received. */
  let bytes = 0;
  let broken: UpstreamError | undefined;
  const parser = createParser({
    onComment: (comment) => (bytes -= comment.length),
    onEvent: ({ event, data }) => {
      bytes = 0;
      if (broken || data === '[DONE]') return;
      try {
        batch.push(typed(JSON.parse(data), event) as E);
      } catch (error) {
        broken = new UpstreamError('upstream_error', 'unknown', {}, error);
      }
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (batch.length > 0) {
        yield batch;
        batch = [];
      }
      if (bytes > maxBytes)
        broken ??= new UpstreamError('upstream_error', 'unknown');
      if (broken) throw broken;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof UpstreamError ? error : connectionError(error);
  }
}

/** The error frame of a gateway may have neither a name nor a type. */
function typed(
  data: Record<string, unknown>,
  event: string | undefined,
): object {
  const type = data.type ?? event ?? (data.error ? 'error' : 'unknown');
  return { ...data, type };
}
