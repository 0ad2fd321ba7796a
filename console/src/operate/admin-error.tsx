import { ApiError } from '../api/problem';
import { ErrorNote } from '../ui/error-note';
import { operateWords } from './operate.words';

/** A refusal for want of rights is explained, everything else is an error. */
export function AdminError({
  error,
  onRetry,
}: {
  error: unknown;
  onRetry: () => void;
}) {
  const isRefused =
    error instanceof ApiError && [401, 403].includes(error.status);
  return isRefused ? (
    <p class="note">{operateWords().needsAdmin}</p>
  ) : (
    <ErrorNote error={error} onRetry={onRetry} />
  );
}
