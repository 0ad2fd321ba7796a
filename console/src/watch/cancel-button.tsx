import { useState } from 'preact/hooks';
import { api, read } from '../api/client';
import { common } from '../i18n/common.words';
import { Dialog } from '../ui/dialog';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { watchWords } from './watch.words';

/** Cancels after a question. */
export function CancelButton({
  id,
  onCancelled,
}: {
  id: string;
  onCancelled: () => void;
}) {
  const w = watchWords();
  const [asks, setAsks] = useState(false);
  const { run, busy, error } = useAction(async () => {
    const path = { params: { path: { id } } };
    await read(api.POST('/api/v1/tool-invocations/{id}/cancel', path));
    setAsks(false);
    onCancelled();
  });
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsks(true)}>
        {common().cancel}
      </button>
      {asks && (
        <Dialog title={w.cancelTitle} onClose={() => setAsks(false)}>
          <p>{w.cancelAbout}</p>
          <ErrorNote error={error} />
          <div class="row">
            <button
              type="button"
              class="danger"
              disabled={busy}
              onClick={() => run()}
            >
              {w.cancelIt}
            </button>
            <button type="button" onClick={() => setAsks(false)}>
              {w.keep}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
