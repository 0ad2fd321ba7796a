import { useRef } from 'preact/hooks';
import { uniqueKey } from '../api/client';
import { readiness } from '../api/readiness';
import { common } from '../i18n/common.words';
import { goTo, hrefOf } from '../router';
import { ErrorNote } from '../ui/error-note';
import { useAction, useLoaded } from '../ui/use-call';
import { useKept } from '../ui/use-kept';
import { askWords } from './ask.words';
import { Choice } from './choice';
import { DepthCards } from './depth-cards';
import { documentFaults, Documents } from './documents';
import { argumentsOf, type Draft, withoutDocuments } from './draft';
import { EstimateNote } from './estimate';
import { Examples } from './examples';
import { FirstRun } from './first-run';
import { startResearch } from './submit';

const ENGINES = ['auto', 'hosted', 'agent', 'plain'];
const FORMATS = ['markdown_report', 'markdown_brief', 'json_outline'];
const SOURCES = ['web', 'private', 'web_then_private', 'web_and_private'];

/** The form; the tab keeps what is typed until it is sent. */
export function AskForm({
  name,
  initial,
  note,
}: {
  /** Under which the tab keeps what is typed. */
  name: string;
  initial: Draft;
  note?: string;
}) {
  const w = askWords();
  const c = common();
  const key = useRef({ of: '', text: '' });
  const [draft, setDraft] = useKept(name, initial, withoutDocuments);
  const set = (change: Partial<Draft>): void =>
    setDraft((before) => ({ ...before, ...change }));
  const sent = useRef<Draft['documents']>(undefined);
  const { run, busy, error } = useAction(async () => {
    sent.current = draft.documents;
    const content = JSON.stringify(argumentsOf(draft));
    // A changed form is another submission.
    if (key.current.of !== content)
      key.current = { of: content, text: uniqueKey() };
    const invocation = await startResearch(draft, key.current.text);
    setDraft(() => initial);
    goTo('watch', invocation.invocation_id);
  });
  const checks = useLoaded(readiness, []).data?.checks;
  // The agent needs a search of this service.
  const canSearch = !checks || checks.search !== undefined;
  const { question, documents, lost, follows } = draft;
  return (
    <main class="narrow ask">
      <h1>{w.title}</h1>
      <FirstRun checks={checks} />
      {note && <p class="note">{note}</p>}
      {lost.length > 0 && <p class="note">{w.lost(lost.join(', '))}</p>}
      {follows !== null && (
        <p class="note">
          <a href={hrefOf('read', follows)}>{w.follows}</a>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <label class="field">
          <span class="hidden-text">{w.question}</span>
          <textarea
            rows={4}
            required
            maxLength={32_000}
            placeholder={w.placeholder}
            value={question}
            onInput={(event) => set({ question: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        {question === '' && (
          <Examples onChoose={(text) => set({ question: text })} />
        )}
        {canSearch && (
          <DepthCards
            draft={draft}
            isKnown={checks !== undefined}
            onChange={set}
          />
        )}
        <details>
          <summary>{w.options}</summary>
          <div class="grid">
            <Choice
              label={w.format}
              value={draft.format}
              values={FORMATS}
              names={w.formats}
              onChange={(format) => set({ format })}
            />
            <Choice
              label={w.engine}
              value={draft.engine}
              values={ENGINES}
              names={c.engine}
              // Only the agent has depths.
              onChange={(engine) => set({ engine, depth: 'auto' })}
            />
            <Choice
              label={w.sources}
              value={draft.sources}
              values={SOURCES}
              names={w.sourceNames}
              onChange={(sources) => set({ sources })}
            />
            <label class="field">
              <span>{w.budget}</span>
              <input
                type="number"
                inputMode="decimal"
                min="0.01"
                step="0.01"
                placeholder={w.noBudget}
                value={draft.budget}
                onInput={(event) => set({ budget: event.currentTarget.value })}
              />
            </label>
          </div>
          <Documents
            documents={documents}
            // What was said of other files is not true of these.
            faults={documents === sent.current ? documentFaults(error) : {}}
            onChange={(next) => set({ documents: next, lost: [] })}
          />
        </details>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.review}
            onChange={(event) => {
              const review = event.currentTarget.checked;
              // Only the agent has a plan, and a review selects it.
              set({ review, ...(review && { engine: 'auto' }) });
            }}
          />
          <span>{w.review}</span>
        </label>
        <ErrorNote error={error} />
        <button class="primary" disabled={busy || question.trim() === ''}>
          {w.start}
        </button>
        {/* Below the button: it comes a moment later, and would move the button from under the pointer. */}
        {question.trim() !== '' && <EstimateNote args={argumentsOf(draft)} />}
      </form>
    </main>
  );
}
