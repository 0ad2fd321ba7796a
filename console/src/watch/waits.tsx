import { useEffect } from 'preact/hooks';
import { readiness } from '../api/readiness';
import { useLoaded } from '../ui/use-call';
import { watchWords } from './watch.words';

const EVERY_MS = 15_000;
/** Checks of the service without which nothing goes on. */
const NEEDED = ['queue', 'upstream'] as const;

/** Why a run may not go on, as far as the service knows it: what its health says while the run waits. */
export function Waits() {
  const w = watchWords();
  const { data, reload } = useLoaded(readiness, []);
  useEffect(() => {
    const timer = setInterval(reload, EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <>
      {NEEDED.filter((name) => data?.checks[name]?.status === 'failed').map(
        (name) => (
          <span key={name} class="pill status-failed">
            <span class="dot" aria-hidden="true" />
            {w.waits[name]}
          </span>
        ),
      )}
    </>
  );
}
