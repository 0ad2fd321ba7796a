import pino, { type Logger } from 'pino';
import { traceOfLine } from '../tracing/tracing';

const SECRET_HEADERS = [
  'authorization',
  'cookie',
  'x-api-key',
  'x-invocation-token',
];

const BATCH_BYTES = 4096;
/** Also what is lost of the log if the process is killed. */
export const FLUSH_AFTER_MS = 10;

/** The root logger: JSON on stdout. Credentials are redacted, even where a whole set of headers is logged. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = inBatches(1),
): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp,
      mixin: traceOfLine,
      formatters: { level: (label) => ({ level: label }) },
      // `err` is converted by `describeError` before.
      serializers: { err: (err: unknown) => err },
      redact: SECRET_HEADERS.flatMap((name) => [
        `["${name}"]`,
        `headers["${name}"]`,
        `req.headers["${name}"]`,
        `request.headers["${name}"]`,
      ]),
    },
    destination,
  );
}

let lineMs = NaN;
let lineTime = '';

/** As `pino.stdTimeFunctions.isoTime`, written once for all lines of a millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== lineMs) {
    lineMs = now;
    lineTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lineTime;
}

/** Written in batches and flushed at exit: a system call per line was a twelfth of the CPU time of a chat. */
export function inBatches(fd: number): pino.DestinationStream {
  const file = pino.destination({
    dest: fd,
    sync: false,
    minLength: BATCH_BYTES,
  });
  let bufferedBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    file.flush();
  };
  const flushSoon = (): void => {
    timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  };
  // A flush during a write does nothing: what was logged meanwhile is flushed after it.
  file.on('write', (bytes: number) => {
    bufferedBytes -= bytes;
    if (bufferedBytes > 0) flushSoon();
  });
  return {
    write(line) {
      bufferedBytes += Buffer.byteLength(line);
      file.write(line);
      flushSoon();
    },
  };
}
