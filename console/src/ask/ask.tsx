import { api, read, type Invocation } from '../api/client';
import { common } from '../i18n/common.words';
import { ErrorNote } from '../ui/error-note';
import { useLoaded } from '../ui/use-call';
import { AskForm } from './ask-form';
import { askWords } from './ask.words';
import { askedHere, askedWith, EMPTY, isCut } from './draft';

const PATH = '/api/v1/tool-invocations/{id}';

/** A new question, or with the id of a run what that was asked with. */
export function Ask({ id }: { id?: string }) {
  if (id === undefined) return <AskForm name="draft" initial={EMPTY} />;
  const asked = askedHere(id);
  return asked ? (
    <AskForm name={`draft/${id}`} initial={asked} />
  ) : (
    <AskAgain id={id} />
  );
}

/** What another tab has asked, as far as its record has it. */
function AskAgain({ id }: { id: string }) {
  const path = { params: { path: { id } } };
  const { data, error, reload } = useLoaded(
    async () => (await read(api.GET(PATH, path))) as Invocation,
    [id],
  );
  const draft = data && askedWith(data);
  if (draft)
    return (
      <AskForm
        name={`draft/${id}`}
        initial={draft}
        note={isCut(draft) ? askWords().cut : undefined}
      />
    );
  return (
    <main class="narrow">
      {error === undefined ? (
        <p class="muted">{common().loading}</p>
      ) : (
        <ErrorNote error={error} onRetry={reload} />
      )}
    </main>
  );
}
