export interface Preferences {
  respondAsync: boolean;
  /** A run that failed is to be an HTTP error. */
  strict: boolean;
  waitSeconds?: number;
}

/** The three preferences of RFC 7240 that mean something here. What is unknown or malformed is ignored, as it demands. */
export function parsePrefer(
  header: string | string[] | undefined,
): Preferences {
  const preferences: Preferences = { respondAsync: false, strict: false };
  const seen = new Set<string>();
  for (const item of [header ?? []].flat().join(',').split(',')) {
    const [, name, value] =
      /^\s*([\w-]+)\s*(?:=\s*"?([^";]*?)"?\s*)?(?:;.*)?$/.exec(item) ?? [];
    const key = name?.toLowerCase();
    // The first of two equal names counts.
    if (!key || seen.has(key)) continue;
    seen.add(key);
    if (key === 'respond-async') preferences.respondAsync = true;
    if (key === 'handling') preferences.strict = value === 'strict';
    if (key === 'wait' && /^\d{1,9}$/.test(value ?? ''))
      preferences.waitSeconds = Number(value);
  }
  return preferences;
}
