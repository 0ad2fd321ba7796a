import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { common } from '../i18n/common.words';
import { Dialog } from './dialog';
import { ErrorNote } from './error-note';
import { useAction } from './use-call';

/** What cannot be taken back: a button that asks before it acts. */
export function AskedButton({
  label,
  of,
  title,
  about,
  confirm = label,
  decline = common().cancel,
  onConfirm,
  children,
}: {
  label: string;
  /** Where several stand on one page: what it acts on. */
  of?: string;
  title: string;
  about: string;
  confirm?: string;
  decline?: string;
  onConfirm: () => Promise<void>;
  /** Fields to fill in before. */
  children?: ComponentChildren;
}) {
  const [asks, setAsks] = useState(false);
  const { run, busy, error } = useAction(async () => {
    await onConfirm();
    setAsks(false);
  });
  return (
    <>
      <button
        type="button"
        class="danger"
        aria-label={of === undefined ? undefined : `${label}: ${of}`}
        onClick={() => setAsks(true)}
      >
        {label}
      </button>
      {asks && (
        <Dialog title={title} onClose={() => setAsks(false)}>
          <p>{about}</p>
          {children}
          <ErrorNote error={error} />
          <div class="row">
            <button
              type="button"
              class="danger"
              disabled={busy}
              onClick={() => run()}
            >
              {confirm}
            </button>
            <button type="button" onClick={() => setAsks(false)}>
              {decline}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
