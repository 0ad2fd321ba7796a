import pino, { type Logger } from 'pino';

const SECRET_HEADERS = [
  'authorization',
  'cookie',
  'x-api-key',
  'x-invocation-token',
];

/** What is written at once, and the longest that a line waits for it. */
const COLLECTED_BYTES = 4 * 1024;
const COLLECTED_MS = 100;

/** The root of every log line: JSON on stdout. Credentials never get out, even where a whole set of headers is logged. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = toStdout(),
): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // What is logged as `err` is described already.
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

/** Lines are collected for a moment, and flushed at the exit of the process: no system call for every request. */
function toStdout(): pino.DestinationStream {
  return pino.destination({
    dest: 1,
    sync: false,
    minLength: COLLECTED_BYTES,
    periodicFlush: COLLECTED_MS,
  });
}
