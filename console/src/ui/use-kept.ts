import { useRef, useState } from 'preact/hooks';
import { apiKey } from '../api/session';

const PREFIX = 'sonde.';
/** Of one value, in characters: the storage of a tab holds some five million. */
const MAX_LENGTH = 1_000_000;

/** What the tab keeps under this name, if it is of this session. */
export function kept<T>(name: string): T | undefined {
  const stored = sessionStorage.getItem(PREFIX + name);
  return stored === null ? undefined : (JSON.parse(stored) as T);
}

/**
 * Keeps a value until the tab is closed or signs out.
 * @returns false if there is no room for it.
 */
export function keep(name: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    if (text.length > MAX_LENGTH) return false;
    sessionStorage.setItem(PREFIX + name, text);
    return true;
  } catch {
    return false;
  }
}

export function forget(name: string): void {
  sessionStorage.removeItem(PREFIX + name);
}

/**
 * State that outlives a reload and a look at other screens, but no session: what ends after its key was signed out
 * is kept for no other key.
 * @param lighter what is kept of a value that there is no room for.
 */
export function useKept<T>(
  name: string,
  empty: T,
  lighter: (value: T) => T = (value) => value,
): [value: T, change: (to: (before: T) => T) => void] {
  const [value, setValue] = useState(() => kept<T>(name) ?? empty);
  const latest = useRef(value);
  const [session] = useState(apiKey.peek());
  const change = (to: (before: T) => T): void => {
    const next = to(latest.current);
    latest.current = next;
    setValue(() => next);
    if (apiKey.peek() !== session) return;
    if (next === empty) forget(name);
    else if (!keep(name, next)) keep(name, lighter(next));
  };
  return [value, change];
}
