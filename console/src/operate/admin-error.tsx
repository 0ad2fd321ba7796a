import { ApiError } from '../api/problem';
import { service } from '../api/session';
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
    <p class="note">
      {service.value?.api_key
        ? operateWords().needsAdmin
        : operateWords().needsKeys}
    </p>
  ) : (
    <ErrorNote error={error} onRetry={onRetry} />
  );
}
