import { useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { common } from '../i18n/common.words';
import { Dialog } from '../ui/dialog';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { LimitFields, limitsOf, textsOf } from './limit-fields';
import { operateWords } from './operate.words';

/** How long a program may still use the text before. */
const OVERLAP_SECONDS = 3_600;

type Key = Schemas['KeyDto'];
type Act = 'limits' | 'rotate' | 'revoke';

/** What can be done with a key that is active. */
export function KeyActions({
  of: key,
  onIssued,
  onChanged,
}: {
  of: Key;
  onIssued: (key: Schemas['IssuedKeyDto']) => void;
  onChanged: () => void;
}) {
  const w = operateWords();
  const [open, setOpen] = useState<Act>();
  const [texts, setTexts] = useState(textsOf(key));
  const [cancels, setCancels] = useState(false);
  const params = { path: { key_id: key.id } };
  const acts: Record<Act, () => Promise<void>> = {
    limits: async () => {
      const body = limitsOf(texts, key);
      await read(api.PATCH('/admin/api/keys/{key_id}', { params, body }));
      onChanged();
    },
    rotate: async () => {
      const body = { overlap_seconds: OVERLAP_SECONDS };
      onIssued(
        (await read(
          api.POST('/admin/api/keys/{key_id}/rotate', { params, body }),
        )) as Schemas['IssuedKeyDto'],
      );
    },
    revoke: async () => {
      const body = {
        runs: cancels ? ('cancel' as const) : ('finish' as const),
      };
      await read(api.POST('/admin/api/keys/{key_id}/revoke', { params, body }));
      onChanged();
    },
  };
  const { run, busy, error } = useAction(async (act: Act) => {
    await acts[act]();
    setOpen(undefined);
  });
  const names: Record<Act, string> = {
    limits: w.change,
    rotate: w.rotate,
    revoke: w.revoke,
  };
  const titles: Record<Act, string> = {
    limits: `${w.change}: ${key.name}`,
    rotate: w.rotateTitle(key.name),
    revoke: w.revokeTitle(key.name),
  };
  return (
    <>
      {(['limits', 'rotate', 'revoke'] as const).map((act) => (
        <button
          key={act}
          type="button"
          class={act === 'revoke' ? 'danger' : undefined}
          aria-label={`${names[act]}: ${key.name}`}
          onClick={() => setOpen(act)}
        >
          {names[act]}
        </button>
      ))}
      {open && (
        <Dialog title={titles[open]} onClose={() => setOpen(undefined)}>
          {open === 'limits' && (
            <LimitFields texts={texts} onChange={setTexts} />
          )}
          {open === 'rotate' && <p>{w.rotateAbout}</p>}
          {open === 'revoke' && (
            <>
              <p>{w.revokeAbout}</p>
              <label class="check">
                <input
                  type="checkbox"
                  checked={cancels}
                  onChange={(event) => setCancels(event.currentTarget.checked)}
                />
                <span>{w.runsCancel}</span>
              </label>
            </>
          )}
          <ErrorNote error={error} />
          <div class="row">
            <button
              type="button"
              class={open === 'revoke' ? 'danger' : 'primary'}
              disabled={busy}
              onClick={() => run(open)}
            >
              {open === 'limits' ? w.save : names[open]}
            </button>
            <button type="button" onClick={() => setOpen(undefined)}>
              {common().cancel}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
