import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  reload: () => void;
}

/** Reads once for each value of `keys`; a later read wins over an earlier one that comes back late. */
export function useLoaded<T>(
  load: () => Promise<T>,
  keys: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown }>({});
  const turn = useRef(0);
  const run = useCallback(() => {
    const mine = ++turn.current;
    load().then(
      (data) => mine === turn.current && setState({ data }),
      (error: unknown) =>
        mine === turn.current &&
        setState((before) => ({ data: before.data, error })),
    );
  }, keys);
  useEffect(() => {
    setState({});
    run();
    return () => {
      turn.current += 1;
    };
  }, [run]);
  return { data: state.data, error: state.error, reload: run };
}

/** For a button: one call at a time, and what went wrong with the last one. */
export function useAction<A extends unknown[]>(
  act: (...args: A) => Promise<void>,
): { run: (...args: A) => void; busy: boolean; error: unknown } {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = (...args: A): void => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    act(...args)
      .catch((thrown: unknown) => setError(thrown))
      .finally(() => setBusy(false));
  };
  return { run, busy, error };
}
