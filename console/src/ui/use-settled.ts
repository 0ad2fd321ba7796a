import { useEffect, useState } from 'preact/hooks';

/** A value once it has not changed for so long: what is typed, without every key of it. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), ms);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
