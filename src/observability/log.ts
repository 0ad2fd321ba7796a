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
const FLUSH_AFTER_MS = 10;

/** The root logger: JSON on stdout. Credentials are redacted, even where a whole set of headers is logged. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = toStdout(),
): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
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

/** Written in batches and flushed at exit: a system call per line was a twelfth of the CPU time of a chat. */
function toStdout(): pino.DestinationStream {
  const stdout = pino.destination({
    dest: 1,
    sync: false,
    minLength: BATCH_BYTES,
  });
  let flush: NodeJS.Timeout | undefined;
  return {
    write(line) {
      stdout.write(line);
      flush ??= setTimeout(() => {
        flush = undefined;
        stdout.flush();
      }, FLUSH_AFTER_MS).unref();
    },
  };
}
