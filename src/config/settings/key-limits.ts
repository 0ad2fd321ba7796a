import type { Environment } from '../environment';

/** The limits of an API key, by the names that settings and refusals use. */
export const LIMITS = [
  'requests_per_minute',
  'body_bytes_per_minute',
  'research_per_minute',
  'unfinished_runs',
  'parked_alarms',
  'stored_bytes',
  'followers',
  'concurrent_research',
  'kept_records',
  'kept_bytes',
] as const;
export type LimitName = (typeof LIMITS)[number];
/** Numbers in the scripts and in JSON stay exact up to here. */
export const MAX_LIMIT = 1_000_000_000_000;
/** The least that a key may keep its records after their end. */
export const LEAST_RETENTION_SECONDS = 3_600;

const NAME = 'RELAY_KEY_LIMITS';
const EXAMPLE = 'requests_per_minute:600,unfinished_runs:100';
/** Of the capacity of the installation: one key leaves room for others. */
const SHARE_OF_CAPACITY = 3 / 4;

/** The limits of every API key that has no others. Generous, and finite. */
export function readKeyLimits(
  env: Environment,
  capacity: number,
): Record<LimitName, number> {
  const limits: Record<LimitName, number> = {
    requests_per_minute: 12_000,
    body_bytes_per_minute: 500_000_000,
    research_per_minute: 600,
    unfinished_runs: Math.max(1, Math.floor(capacity * SHARE_OF_CAPACITY)),
    parked_alarms: 1_000,
    stored_bytes: 2_000_000_000,
    followers: 1_000,
    concurrent_research: Math.max(1, Math.floor(capacity * SHARE_OF_CAPACITY)),
    kept_records: 100,
    kept_bytes: 500_000_000,
  };
  const given = env.pairs(
    NAME,
    /^[1-9]\d{0,11}$/,
    'whole number above 0',
    EXAMPLE,
  );
  for (const [name, value] of given) {
    if (!isLimit(name))
      env.fail(
        NAME,
        `names "${name}", not one of ${LIMITS.join(', ')}`,
        EXAMPLE,
      );
    else limits[name] = Number(value);
  }
  return limits;
}

/** A limit of a key, or else the one of the service: whatever an other version has written there. */
export function limitOr(set: number | undefined, standard: number): number {
  return set !== undefined && Number.isInteger(set) && set > 0 ? set : standard;
}

function isLimit(name: string): name is LimitName {
  return LIMITS.some((known) => known === name);
}
