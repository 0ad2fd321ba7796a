import { useState } from 'preact/hooks';
import { common } from '../i18n/common.words';
import { Dialog } from './dialog';
import { ErrorNote } from './error-note';
import { useAction } from './use-call';

/** Deletes after a question. */
export function DeleteButton({
  title,
  about,
  onDelete,
  label,
}: {
  title: string;
  about: string;
  onDelete: () => Promise<void>;
  /** Where several stand on one page: what it deletes. */
  label?: string;
}) {
  const c = common();
  const [asks, setAsks] = useState(false);
  const { run, busy, error } = useAction(async () => {
    await onDelete();
    setAsks(false);
  });
  return (
    <>
      <button
        type="button"
        class="danger"
        aria-label={label === undefined ? undefined : `${c.delete}: ${label}`}
        onClick={() => setAsks(true)}
      >
        {c.delete}
      </button>
      {asks && (
        <Dialog title={title} onClose={() => setAsks(false)}>
          <p>{about}</p>
          <ErrorNote error={error} />
          <div class="row">
            <button
              type="button"
              class="danger"
              disabled={busy}
              onClick={() => run()}
            >
              {c.delete}
            </button>
            <button type="button" onClick={() => setAsks(false)}>
              {c.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
