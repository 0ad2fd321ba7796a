import { readiness } from '../api/readiness';
import { ErrorNote } from '../ui/error-note';
import { useLoaded } from '../ui/use-call';
import { operateWords } from './operate.words';

/** What `/health/ready` says of this API process. */
export function Health() {
  const w = operateWords();
  const { data, error, reload } = useLoaded(readiness, []);
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">{w.health}</h2>
      <ErrorNote error={error} onRetry={reload} />
      <ul class="checks">
        {Object.entries(data?.checks ?? {}).map(([name, check]) => (
          <li key={name}>
            <span
              class={
                check.status === 'ok' ? 'status-completed' : 'status-failed'
              }
            >
              <span class="dot" aria-hidden="true" /> {name}
            </span>
            <span class="muted tiny">
              {w.healthy[check.status]}
              {check.detail && ` · ${check.detail}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
