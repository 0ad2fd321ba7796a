/**
 * The newest schema of a record that this version can continue. A record holds its own in `schema`, written when it is
 * created; without one it is 1. Workers of a version with a lower number leave the record to newer ones, so a record gets
 * the lowest that it needs: fields that may be ignored do not raise it.
 */
export const RECORD_SCHEMA = 2;
/** Of a record with a journal: version 1 neither reads the journal nor deletes it. */
export const JOURNAL_SCHEMA = 2;

/** Where things lie in Redis. What belongs to one invocation shares a hash tag, hence a slot. */
export const KEYS = {
  record: (id: string) => `sonde:{${id}}:record`,
  log: (id: string) => `sonde:{${id}}:log`,
  text: (id: string) => `sonde:{${id}}:text`,
  /** Hash: what the steps of a run came to. */
  journal: (id: string) => `sonde:{${id}}:journal`,
  /** String: its caller has its result. */
  answered: (id: string) => `sonde:{${id}}:answered`,
  /** Pub/sub: `<seq> <status> <type> <data>` of each new event. */
  channel: (id: string) => `sonde:{${id}}:events`,
  /** Pub/sub: `<signal> <id>` for the worker that holds the run. */
  signals: 'sonde:bell',
  /** Sorted set: unfinished invocations by time of submission, in ms. */
  unfinished: 'sonde:unfinished',
  /** String: a worker reconciles, or has done so a moment ago. */
  reconciling: 'sonde:reconciling',
  /** Sorted set, all scores 0: the invocations of one caller; ids sort by time. */
  caller: (name: string) => `sonde:caller:${name}`,
  /** The same of chats: processes of an earlier release take every id of the other for an invocation. */
  chats: (name: string) => `sonde:chats:${name}`,
  /** The same of ended invocations that are kept beyond their retention. */
  kept: (name: string) => `sonde:kept:${name}`,
  /** Sorted set: runs that are suspected of crashing their workers, by when they were last claimed, in ms. */
  suspects: 'sonde:suspects',
  /** String: when the last run that crashed its workers was found, in ms. */
  acquitted: 'sonde:suspects:acquitted',
  idempotency: (hash: string) => `sonde:idempotency:${hash}`,
};

/** Of the key of a record. */
export function idOfRecord(key: string): string {
  return key.slice(key.indexOf('{') + 1, key.lastIndexOf('}'));
}
