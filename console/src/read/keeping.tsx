import { useState } from 'preact/hooks';
import { api, read, type Invocation } from '../api/client';
import { dateTime } from '../i18n/format';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { readWords } from './read.words';

/** Until when the record is there, and the button that keeps it or lets it go. */
export function Keeping({ record }: { record: Invocation }) {
  const w = readWords();
  const [current, setCurrent] = useState(record);
  const { kept, expires_at } = current;
  const { run, busy, error } = useAction(async () => {
    const of = { params: { path: { id: record.invocation_id } } };
    const path = '/api/v1/tool-invocations/{id}/keep';
    const next = await read(kept ? api.DELETE(path, of) : api.POST(path, of));
    setCurrent(next!);
  });
  return (
    <div class="row tiny no-print">
      <span class="muted" aria-live="polite">
        {kept ? w.kept : expires_at !== null && w.expires(dateTime(expires_at))}
      </span>
      <button type="button" class="quiet" disabled={busy} onClick={() => run()}>
        {kept ? w.letGo : w.keep}
      </button>
      <ErrorNote error={error} />
    </div>
  );
}
