import { createParser } from 'eventsource-parser';
import { connectionError, UpstreamError } from './upstream.error';

/** An event may hold the whole response. One that grows beyond this is given up, and the response is asked for instead. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/**
 * The events of a stream of either protocol, in the batches in which they arrive. Tolerates comments, frames without an event
 * name, `[DONE]` and types nobody knows; the end of the iteration says nothing about the end of the run.
 * @throws UpstreamError when the stream breaks, carries what is not JSON or an event over `maxBytes`, or the signal's reason.
 */
export async function* readEvents<E>(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  maxBytes = MAX_EVENT_BYTES,
): AsyncGenerator<E[]> {
  let batch: E[] = [];
  /** Of the event that is under way. */
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

/** A gateway's error frame may have neither a name nor a type. */
function typed(
  data: Record<string, unknown>,
  event: string | undefined,
): object {
  const type = data.type ?? event ?? (data.error ? 'error' : 'unknown');
  return { ...data, type };
}
