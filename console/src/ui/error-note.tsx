import { faultText } from '../i18n/fault.words';
import { nameOf } from '../i18n/language';
import { ApiError } from '../api/problem';
import { errorWords } from '../i18n/error.words';
import { common } from '../i18n/common.words';

/** What went wrong, in the language of the page where the code is known. */
export function ErrorNote({
  error,
  onRetry,
}: {
  error: unknown;
  onRetry?: () => void;
}) {
  if (error === undefined || error === null) return null;
  const w = common();
  const refusal = error instanceof ApiError ? error : undefined;
  const known = refusal && nameOf(errorWords(), refusal.code);
  const detail =
    error instanceof Error ? error.message : String(error as string);
  const faults = refusal?.problem?.errors ?? [];
  return (
    <div class="error" role="alert">
      <p>{known ?? detail}</p>
      {faults.length > 0 && (
        <ul>
          {faults.slice(0, 5).map((fault) => (
            <li key={fault.path}>
              <code>{fault.path}</code> {faultText(fault)}
            </li>
          ))}
        </ul>
      )}
      {refusal?.problem?.limit && (
        <p class="muted tiny">
          <code>{refusal.problem.limit}</code>
        </p>
      )}
      {refusal?.problem?.request_id && (
        <p class="muted tiny">{w.request(refusal.problem.request_id)}</p>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {w.retry}
        </button>
      )}
    </div>
  );
}
