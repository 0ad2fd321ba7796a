import { useState } from 'preact/hooks';
import { api, read, type Invocation } from '../api/client';
import { goTo } from '../router';
import { Dialog } from '../ui/dialog';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { readWords } from './read.words';

const FIELDS = {
  max_cost_usd: { min: 0.01, step: 0.01 },
  max_searches: { min: 1, step: 1 },
  max_pages: { min: 1, step: 1 },
} as const;
type Field = keyof typeof FIELDS;

/** A run of the agent that ended at a limit goes on from its journal. */
export function ContinueDialog({
  id,
  onClose,
}: {
  id: string;
  onClose: () => void;
}) {
  const w = readWords();
  const labels: Record<Field, string> = {
    max_cost_usd: w.moreCost,
    max_searches: w.moreSearches,
    max_pages: w.morePages,
  };
  const [values, setValues] = useState<Partial<Record<Field, string>>>({});
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const { run, busy, error } = useAction(async () => {
    const budget = Object.fromEntries(
      given.map(([field, value]) => [field, Number(value)]),
    );
    const next = (await read(
      api.POST('/api/v1/tool-invocations/{id}/continue', {
        params: { path: { id } },
        body: { budget },
      }),
    )) as Invocation;
    onClose();
    goTo('watch', next.invocation_id);
  });
  return (
    <Dialog title={w.more} onClose={onClose}>
      <p class="muted">{w.moreAbout}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        {(Object.keys(FIELDS) as Field[]).map((field) => (
          <label key={field} class="field">
            <span>{labels[field]}</span>
            <input
              type="number"
              {...FIELDS[field]}
              value={values[field] ?? ''}
              onInput={(event) =>
                setValues({ ...values, [field]: event.currentTarget.value })
              }
            />
          </label>
        ))}
        <ErrorNote error={error} />
        <button class="primary" disabled={busy || given.length === 0}>
          {w.moreStart}
        </button>
      </form>
    </Dialog>
  );
}
