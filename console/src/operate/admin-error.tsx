import { ApiError } from '../api/problem';
import { service } from '../api/session';
import { ErrorNote } from '../ui/error-note';
import { operateWords } from './operate.words';

/** A refusal for want of rights is explained, everything else is an error; what is not found is not found by a repeat. */
export function AdminError({
  error,
  onRetry,
}: {
  error: unknown;
  onRetry: () => void;
}) {
  const status = error instanceof ApiError ? error.status : 0;
  return [401, 403].includes(status) ? (
    <p class="note">
      {service.value?.api_key
        ? operateWords().needsAdmin
        : operateWords().needsKeys}
    </p>
  ) : (
    <ErrorNote error={error} onRetry={status === 404 ? undefined : onRetry} />
  );
}
