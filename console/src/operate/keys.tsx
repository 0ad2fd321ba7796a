import { useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { common } from '../i18n/common.words';
import { dateTime } from '../i18n/format';
import { CopyButton } from '../ui/copy-button';
import { useLoaded } from '../ui/use-call';
import { AdminError } from './admin-error';
import { KeyActions } from './key-actions';
import { KeyForm } from './key-form';
import { operateWords } from './operate.words';

type Key = Schemas['KeyDto'];

/** Stored keys: made, rotated, revoked and limited here. */
export function Keys() {
  const w = operateWords();
  const [issued, setIssued] = useState<Schemas['IssuedKeyDto']>();
  const { data, error, reload } = useLoaded(
    () => read(api.GET('/admin/api/keys')),
    [],
  );
  if (!data)
    return error === undefined ? (
      <p class="muted">{common().loading}</p>
    ) : (
      <AdminError error={error} onRetry={reload} />
    );
  const onIssued = (key: Schemas['IssuedKeyDto']): void => {
    setIssued(key);
    reload();
  };
  return (
    <>
      {issued && (
        <section class="note" role="status">
          <strong>
            {w.made}: {issued.name}
          </strong>
          <p>{w.madeAbout}</p>
          <p>
            <code>{issued.key}</code>
          </p>
          <CopyButton label={w.copyKey} text={() => issued.key} />
        </section>
      )}
      {data.data.length === 0 && <p class="muted">{w.noKeys}</p>}
      <ul class="entries">
        {data.data.map((one) => (
          <Row key={one.id} of={one} onIssued={onIssued} onChanged={reload} />
        ))}
      </ul>
      <KeyForm onIssued={onIssued} />
    </>
  );
}

function Row({
  of: key,
  onIssued,
  onChanged,
}: {
  of: Key;
  onIssued: (key: Schemas['IssuedKeyDto']) => void;
  onChanged: () => void;
}) {
  const w = operateWords();
  const status = key.status === 'active' ? 'completed' : 'cancelled';
  return (
    <li>
      <div class="row">
        <strong>{key.name}</strong>
        <span class={`pill status-${status}`}>
          <span class="dot" aria-hidden="true" />
          {w.keyStatus[key.status]}
        </span>
        <code class="muted tiny">{key.id}</code>
        <span class="spacer" />
        {key.status === 'active' && (
          <div class="row">
            <KeyActions of={key} onIssued={onIssued} onChanged={onChanged} />
          </div>
        )}
      </div>
      <p class="muted tiny">
        {w.scopesShort}: {key.scopes.join(', ')} · {w.expires}:{' '}
        {key.expires_at === null ? w.never : dateTime(key.expires_at)}
      </p>
    </li>
  );
}
