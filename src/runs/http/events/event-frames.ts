import type { SseFrame } from '../../../platform/http/sse';
import { isFinal } from '../../record/run';
import type { LogEvent } from '../../record/run-event';
import type { RunRecord } from '../../record/run-record';
import type { RunsService } from '../../runs.service';

/**
 * The frames of an event stream: everything after `cursor`, once, or a `gap` if there is no such place.
 * @param toFrame shows one event of the invocation of that id.
 */
export async function* eventFrames(
  invocations: RunsService,
  record: RunRecord,
  cursor: number,
  signal: AbortSignal,
  toFrame: (id: string, event: LogEvent) => Promise<SseFrame> = async (
    id,
    event,
  ) => invocationFrame(id, await withText(invocations, id, event)),
): AsyncGenerator<SseFrame> {
  if (cursor > record.seq) {
    const data = {
      requested: String(cursor),
      earliest: '1',
      latest: String(record.seq),
    };
    yield { event: 'gap', data };
    return;
  }
  for await (const event of invocations.follow(record.id, cursor, signal)) {
    yield await toFrame(record.id, event);
  }
}

/** The event at `cursor` was the last one there will be. */
export function endsAt({ status, seq }: RunRecord, cursor: number): boolean {
  return isFinal(status) && cursor === seq;
}

/** The report is kept once; the last event gets it from there. */
async function withText(
  invocations: RunsService,
  id: string,
  event: LogEvent,
): Promise<LogEvent> {
  if (event.type !== 'completed') return event;
  return {
    ...event,
    data: JSON.stringify({ output_text: await invocations.readText(id) }),
  };
}

function invocationFrame(
  id: string,
  { seq, type, status, data }: LogEvent,
): SseFrame {
  return {
    id: String(seq),
    event: type,
    json: `{"invocation_id":"${id}","type":"${type}","status":"${status}","data":${data}}`,
  };
}
