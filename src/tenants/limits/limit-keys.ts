/** Where the limits of an account lie in Redis: in one slot. */
export const ACCOUNT_KEYS = {
  /** Hash: token buckets. */
  buckets: (account: string) => `sonde:{key:${account}}:buckets`,
  /** Sorted set: unfinished runs by when they were counted, in ms. */
  runs: (account: string) => `sonde:{key:${account}}:runs`,
  /** The same of alarms. */
  alarms: (account: string) => `sonde:{key:${account}}:alarms`,
  /** Hash: part of the retention -> bytes that were accepted or made in it. */
  stored: (account: string) => `sonde:{key:${account}}:stored`,
  /** Sorted set: open event streams by when their lease ends, in ms. */
  followers: (account: string) => `sonde:{key:${account}}:followers`,
};
