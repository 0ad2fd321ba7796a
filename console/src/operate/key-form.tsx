import { useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import {
  LimitFields,
  type LimitTexts,
  limitsOf,
  NO_LIMITS,
} from './limit-fields';
import { operateWords } from './operate.words';

/** Makes a key. */
export function KeyForm({
  onIssued,
}: {
  onIssued: (key: Schemas['IssuedKeyDto']) => void;
}) {
  const w = operateWords();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState('chat research read');
  const [limits, setLimits] = useState<LimitTexts>(NO_LIMITS);
  const { run, busy, error } = useAction(async () => {
    const key = await read(
      api.POST('/admin/api/keys', {
        body: {
          name: name.trim(),
          scopes: scopes.split(/[\s,]+/).filter(Boolean),
          ...limitsOf(limits),
        },
      }),
    );
    setName('');
    setLimits(NO_LIMITS);
    onIssued(key as Schemas['IssuedKeyDto']);
  });
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <h2>{w.make}</h2>
      <div class="grid">
        <label class="field">
          <span>{w.name}</span>
          <input
            required
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>{w.scopes}</span>
          <input
            required
            value={scopes}
            onInput={(event) => setScopes(event.currentTarget.value)}
          />
        </label>
        <LimitFields texts={limits} onChange={setLimits} />
      </div>
      <ErrorNote error={error} />
      <button class="primary" disabled={busy || name.trim() === ''}>
        {w.make}
      </button>
    </form>
  );
}
