import { useEffect, useState } from 'preact/hooks';

/** The time in milliseconds, new each second while `isOn`. Computed, not counted: a hidden tab is slow. */
export function useSeconds(isOn: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}
