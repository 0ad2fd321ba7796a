import { useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { common } from '../i18n/common.words';
import { dateTime } from '../i18n/format';
import { hrefOf } from '../router';
import { AskedButton } from '../ui/asked-button';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { ErrorNote } from '../ui/error-note';
import { useAction, useLoaded } from '../ui/use-call';
import { shareWords } from './share.words';

const PATH = '/api/v1/tool-invocations/{id}/share';
/** Seconds. */
const LIFETIMES = [86_400, 604_800, 2_592_000, 7_776_000] as const;

export function ShareButton({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {shareWords().share}
      </button>
      {isOpen && <ShareDialog id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Makes links that open a report without a key, and revokes them. */
function ShareDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const w = shareWords();
  const of = { params: { path: { id } } };
  const [seconds, setSeconds] = useState<number>(LIFETIMES[1]);
  const [made, setMade] = useState<Schemas['CreatedShareDto']>();
  const { data, error, reload } = useLoaded(
    async () => (await read(api.GET(PATH, of)))!.data,
    [id],
  );
  const make = useAction(async () => {
    const body = { expires_in_seconds: seconds };
    setMade(await read(api.POST(PATH, { ...of, body })));
    reload();
  });
  return (
    <Dialog title={w.title} onClose={onClose}>
      <p class="muted">{w.about}</p>
      <label class="field">
        <span>{w.lifetime}</span>
        <select
          value={seconds}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
        >
          {LIFETIMES.map((one) => (
            <option key={one} value={one}>
              {w.lifetimes[one]}
            </option>
          ))}
        </select>
      </label>
      <ErrorNote error={make.error} />
      <button
        type="button"
        class="primary"
        disabled={make.busy}
        onClick={() => make.run()}
      >
        {w.make}
      </button>
      {made && <NewLink key={made.share_id} token={made.share_token} />}
      <h3>{w.links}</h3>
      <ErrorNote error={error} onRetry={reload} />
      {data?.length === 0 && <p class="muted">{w.none}</p>}
      <ul class="entries">
        {data?.map((share) => (
          <Row
            key={share.share_id}
            id={id}
            share={share}
            onRevoked={() => {
              if (share.share_id === made?.share_id) setMade(undefined);
              reload();
            }}
          />
        ))}
      </ul>
      <div class="row">
        {data !== undefined && data.length > 1 && (
          <AskedButton
            label={w.revokeAll}
            title={w.revokeAllTitle}
            about={w.revokeAllAbout}
            onConfirm={async () => {
              await read(api.DELETE(PATH, of));
              setMade(undefined);
              reload();
            }}
          />
        )}
        <button type="button" onClick={onClose}>
          {common().close}
        </button>
      </div>
    </Dialog>
  );
}

function NewLink({ token }: { token: string }) {
  const w = shareWords();
  const link = new URL(hrefOf('shared', token), location.href).href;
  return (
    <div role="status">
      <label class="field">
        <span>{w.made}</span>
        <input
          readOnly
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <CopyButton label={w.copy} text={() => link} />
    </div>
  );
}

function Row({
  id,
  share: { share_id, expires_at },
  onRevoked,
}: {
  id: string;
  share: Schemas['ShareDto'];
  onRevoked: () => void;
}) {
  const w = shareWords();
  const until = w.until(dateTime(expires_at));
  const { run, busy, error } = useAction(async () => {
    const params = { path: { id, share_id } };
    await read(api.DELETE(`${PATH}/{share_id}`, { params }));
    onRevoked();
  });
  return (
    <li>
      <div class="row between">
        <span class="tiny">{until}</span>
        <button
          type="button"
          class="danger"
          aria-label={`${w.revoke}: ${until}`}
          disabled={busy}
          onClick={() => run()}
        >
          {w.revoke}
        </button>
      </div>
      <ErrorNote error={error} />
    </li>
  );
}
