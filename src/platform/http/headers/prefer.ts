export interface Preferences {
  respondAsync: boolean;
  /** A failed run is reported as an HTTP error. */
  strict: boolean;
  waitSeconds?: number;
}

/** The supported preferences of RFC 7240. Unknown and malformed ones are ignored, as the RFC requires. */
export function parsePrefer(
  header: string | string[] | undefined,
): Preferences {
  const preferences: Preferences = { respondAsync: false, strict: false };
  if (header === undefined) return preferences;
  const seen = new Set<string>();
  for (const item of [header].flat().join(',').split(',')) {
    const [, name, value] =
      /^\s*([\w-]+)\s*(?:=\s*"?([^";]*?)"?\s*)?(?:;.*)?$/.exec(item) ?? [];
    const key = name?.toLowerCase();
    // The first of two equal names wins.
    if (!key || seen.has(key)) continue;
    seen.add(key);
    if (key === 'respond-async') preferences.respondAsync = true;
    if (key === 'handling') preferences.strict = value === 'strict';
    if (key === 'wait' && /^\d{1,9}$/.test(value ?? ''))
      preferences.waitSeconds = Number(value);
  }
  return preferences;
}
