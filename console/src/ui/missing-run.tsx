import { ApiError } from '../api/problem';
import { common } from '../i18n/common.words';
import { hrefOf } from '../router';
import { ErrorNote } from './error-note';

/** Why a run is not shown, and where to go from there: one that is not found is not found by a repeat. */
export function MissingRun({
  error,
  onRetry,
}: {
  error: unknown;
  onRetry: () => void;
}) {
  const w = common();
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <>
      {isGone && <h1>{w.notFound}</h1>}
      <ErrorNote error={error} onRetry={isGone ? undefined : onRetry} />
      <p class="row">
        <a class="button" href={hrefOf('history')}>
          {w.toHistory}
        </a>
        <a class="button" href={hrefOf('ask')}>
          {w.toStart}
        </a>
      </p>
    </>
  );
}
