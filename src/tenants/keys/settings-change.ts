import type { KeySettings } from '../../platform/auth/stored-keys';

type Numbers = Readonly<Record<string, number>>;
type NumbersChange = Readonly<Record<string, number | null | undefined>>;

/** null removes a setting, and what is absent stays. */
export interface SettingsChange {
  readonly limits?: object | null;
  readonly budget?: object | null;
  readonly weight?: number | null;
  readonly retention_seconds?: number | null;
  readonly precedence?: boolean | null;
}

/** The settings after a change; those without a value are undefined. */
export function changedSettings(
  before: KeySettings,
  { limits, budget, ...change }: SettingsChange,
): KeySettings {
  return {
    limits: merged(before.limits, limits as NumbersChange),
    budget: merged(before.budget, budget as NumbersChange),
    weight: replaced(before.weight, change.weight),
    retention_seconds: replaced(
      before.retention_seconds,
      change.retention_seconds,
    ),
    precedence: replaced(before.precedence, change.precedence),
  };
}

function replaced<T>(
  before: T | undefined,
  change: T | null | undefined,
): T | undefined {
  return change === undefined ? before : (change ?? undefined);
}

function merged(
  before: KeySettings['limits'] | KeySettings['budget'],
  change: NumbersChange | null | undefined,
): Numbers | undefined {
  if (change === undefined) return before as Numbers | undefined;
  if (change === null) return undefined;
  const given = Object.entries(change).filter(([, n]) => n !== undefined);
  const left = Object.entries({ ...before, ...Object.fromEntries(given) });
  const set = left.filter((entry): entry is [string, number] => {
    return typeof entry[1] === 'number';
  });
  return set.length > 0 ? Object.fromEntries(set) : undefined;
}
