import { AppError } from '../../errors';

const MAX_VALUE = 1_024;
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/**
 * The headers of a request that are forwarded to the model endpoint: those of `names`, and a valid W3C trace context.
 * @throws AppError `validation_failed` for a value that is too long or not printable.
 */
export function readForwarded(
  headers: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (value === undefined) continue;
    if (value.length > MAX_VALUE || !/^[\x20-\x7e]*$/.test(value)) {
      const message = `must be at most ${MAX_VALUE} printable ASCII characters`;
      throw new AppError('validation_failed', `Not valid: ${name}.`, {
        errors: [{ path: name, message }],
      });
    }
    found[name] = value;
  }
  const { traceparent, tracestate } = headers;
  if (TRACEPARENT.test(traceparent ?? '')) {
    found.traceparent = traceparent!;
    if (TRACESTATE.test(tracestate ?? '')) found.tracestate = tracestate!;
  }
  return Object.keys(found).length > 0 ? found : undefined;
}
