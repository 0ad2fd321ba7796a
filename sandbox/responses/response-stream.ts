import { randomBytes } from 'node:crypto';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { EventStream } from '../wire/event-stream';
import type { Fault } from '../control/fault';
import type { Exchange } from '../wire/http';
import type { Run } from './run';
import type { SandboxState } from '../state';

/** Sends the events of a run from sequence number `from`, as they happen, and closes after the last. */
export function streamRun(
  x: Exchange,
  run: Run,
  from: number,
  state: SandboxState,
  faults: Fault[],
): void {
  const stream = new EventStream(x, state.settings.dialect, false, {
    faults,
    book: state.faults,
  });
  let next = from;
  const pump = () => {
    stream.send(run.log.slice(next).map((event) => shown(event, run)));
    next = Math.max(next, run.log.length);
    if (run.done) stream.finish();
  };
  const stop = run.watch(pump);
  stream.onClose(() => {
    stop();
    // No other client can read a foreground run, so it ends with its client.
    if (run.params.background !== true) run.cancel();
  });
  pump();
}

function shown(event: ResponseStreamEvent, run: Run): object {
  const padded =
    run.params.stream_options?.include_obfuscation === true &&
    event.type.endsWith('.delta');
  return padded
    ? { ...event, obfuscation: randomBytes(8).toString('base64url') }
    : event;
}
