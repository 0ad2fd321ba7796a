import { useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { Choice } from '../ask/choice';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import {
  LimitFields,
  type LimitTexts,
  limitsOf,
  NO_LIMITS,
} from './limit-fields';
import { operateWords } from './operate.words';

const SCOPES = ['chat', 'research', 'read', 'tools:*', 'admin'] as const;
/** Of a person who asks and reads. */
const USUAL = ['chat', 'research', 'read'];
/** Days; empty: no end. */
const LIFETIMES = ['', '30', '90', '365'] as const;

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

/** Makes a key. */
export function KeyForm({
  onIssued,
}: {
  onIssued: (key: Schemas['IssuedKeyDto']) => void;
}) {
  const w = operateWords();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(USUAL);
  const [days, setDays] = useState('');
  const [limits, setLimits] = useState<LimitTexts>(NO_LIMITS);
  const { run, busy, error } = useAction(async () => {
    const key = await read(
      api.POST('/admin/api/keys', {
        body: {
          name: name.trim(),
          scopes: [...scopes],
          ...(days !== '' && { expires_at: inDays(Number(days)) }),
          ...limitsOf(limits),
        },
      }),
    );
    setName('');
    setLimits(NO_LIMITS);
    setScopes(USUAL);
    setDays('');
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
            // As the service has it.
            pattern="[A-Za-z0-9_.\-]{1,64}"
            title={w.nameForm}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <Choice
          label={w.expires}
          value={days}
          values={LIFETIMES}
          names={w.lifetimes}
          onChange={setDays}
        />
        <LimitFields texts={limits} onChange={setLimits} />
      </div>
      <fieldset class="field">
        <legend>{w.scopesShort}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ currentTarget: { checked } }) =>
                setScopes(
                  checked
                    ? [...scopes, scope]
                    : scopes.filter((one) => one !== scope),
                )
              }
            />
            <span>
              <code>{scope}</code> {w.scopeAbout[scope]}
            </span>
          </label>
        ))}
      </fieldset>
      <ErrorNote error={error} />
      <button
        class="primary"
        disabled={busy || name.trim() === '' || scopes.length === 0}
      >
        {w.make}
      </button>
    </form>
  );
}
