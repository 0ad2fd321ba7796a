/**
 * Of what a record holds; it stands on each of them in `schema`, and where it is missing it is 1. Raised only when a worker
 * of the version before could not carry such a record on: fields that may be ignored do not raise it.
 */
export const RECORD_SCHEMA = 1;

/** Where things lie in Redis. What belongs to one invocation shares a hash tag, hence a slot. */
export const KEYS = {
  record: (id: string) => `sonde:{${id}}:record`,
  log: (id: string) => `sonde:{${id}}:log`,
  text: (id: string) => `sonde:{${id}}:text`,
  /** Pub/sub: `<seq> <status> <type> <data>` of each new event. */
  channel: (id: string) => `sonde:{${id}}:events`,
  /** Pub/sub: `<signal> <id>` for the worker that holds the run. */
  signals: 'sonde:bell',
  /** Sorted set: unfinished invocations by time of submission, in ms. */
  unfinished: 'sonde:unfinished',
  /** String: a worker reconciles, or has done so a moment ago. */
  reconciling: 'sonde:reconciling',
  /** Sorted set, all scores 0: the ids of one caller; ids sort by time. */
  caller: (name: string) => `sonde:caller:${name}`,
  idempotency: (hash: string) => `sonde:idempotency:${hash}`,
};

/** Of the key of a record. */
export function idOfRecord(key: string): string {
  return key.slice(key.indexOf('{') + 1, key.lastIndexOf('}'));
}
