/** Of callers without a key, on a service without keys. */
export const ANONYMOUS = '@';

const DAY_MS = 86_400_000;

/** What an account of money is named by. */
export function accountOf({ account }: { account?: string }): string {
  return account || ANONYMOUS;
}

/** A UTC day, e.g. `2026-11-23`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** A UTC month, e.g. `2026-11`. */
export function monthOf(ms: number): string {
  return dayOf(ms).slice(0, 7);
}

/** When the UTC day and the UTC month of a time end. */
export function endsOf(ms: number): { day: number; month: number } {
  const date = new Date(ms);
  return {
    day: Math.floor(ms / DAY_MS) * DAY_MS + DAY_MS,
    month: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
  };
}

/** Where the money of an account lies in Redis: one slot per account. */
export const SPEND_KEYS = {
  /** Hash: `nano`, and sums by kind and model. */
  day: (account: string, day: string) => `${prefixOf(account)}:${day}`,
  /** Hash: `nano`. */
  month: (account: string, month: string) => `${prefixOf(account)}:${month}`,
  /** Hash: what is counted of one run; string: a group of calls is counted. */
  counted: (account: string, id: string) => `${prefixOf(account)}:of:${id}`,
  /** Hash: what the calls of each run that are under way cost at most. */
  reserved: (account: string) => `${prefixOf(account)}:reserved`,
};

/** The name of a configured key may have any characters. */
function prefixOf(account: string): string {
  return `sonde:spend:{${encodeURIComponent(account)}}`;
}
