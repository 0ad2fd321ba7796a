import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { uniqueKey } from '../api/client';
import { service } from '../api/session';
import { common } from '../i18n/common.words';
import { language } from '../i18n/language';
import { goTo } from '../router';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { askWords } from './ask.words';
import { Choice } from './choice';
import { Documents } from './documents';
import { argumentsOf, type Draft, EMPTY } from './draft';
import { EstimateNote } from './estimate';
import { startResearch } from './submit';

const ENGINES = ['auto', 'hosted', 'agent', 'plain'];
const DEPTHS = ['auto', 'quick', 'standard', 'deep'];
const FORMATS = ['markdown_report', 'markdown_brief', 'json_outline'];
const SOURCES = ['web', 'private', 'web_then_private', 'web_and_private'];
const EXAMPLES = 5;

/** What was typed stays while other screens are looked at. */
const draft = signal<Draft>(EMPTY);

export function Ask() {
  const w = askWords();
  const c = common();
  const key = useRef({ of: '', text: '' });
  const set = (change: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...change };
  };
  const { run, busy, error } = useAction(async () => {
    const args = argumentsOf(draft.value);
    const content = JSON.stringify(args);
    // A changed form is another submission.
    if (key.current.of !== content)
      key.current = { of: content, text: uniqueKey() };
    const invocation = await startResearch(args, key.current.text);
    draft.value = EMPTY;
    goTo('watch', invocation.invocation_id);
  });
  const { question, documents } = draft.value;
  return (
    <main class="narrow ask">
      <h1>{w.title}</h1>
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
        <details>
          <summary>{w.options}</summary>
          <div class="grid">
            <Choice
              label={w.format}
              value={draft.value.format}
              values={FORMATS}
              names={w.formats}
              onChange={(format) => set({ format })}
            />
            <Choice
              label={w.depth}
              value={draft.value.depth}
              values={DEPTHS}
              names={c.depth}
              onChange={(depth) => set({ depth })}
            />
            <Choice
              label={w.engine}
              value={draft.value.engine}
              values={ENGINES}
              names={c.engine}
              onChange={(engine) => set({ engine })}
            />
            <Choice
              label={w.sources}
              value={draft.value.sources}
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
                value={draft.value.budget}
                onInput={(event) => set({ budget: event.currentTarget.value })}
              />
            </label>
          </div>
          <Documents
            documents={documents}
            onChange={(next) => set({ documents: next })}
          />
        </details>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.value.review}
            onChange={(event) => {
              const review = event.currentTarget.checked;
              // Only the agent has a plan.
              set({ review, ...(review && { engine: 'agent' }) });
            }}
          />
          <span>{w.review}</span>
        </label>
        <ErrorNote error={error} />
        <button class="primary" disabled={busy || question.trim() === ''}>
          {w.start}
        </button>
        {/* Below the button: it comes a moment later, and would move the button from under the pointer. */}
        {question.trim() !== '' && (
          <EstimateNote args={argumentsOf(draft.value)} />
        )}
      </form>
    </main>
  );
}

/** Without a model the sandbox knows a few topics alone. */
function Examples({ onChoose }: { onChoose: (text: string) => void }) {
  const isKorean = (text: string): boolean => /\p{Script=Hangul}/u.test(text);
  const topics = (service.value?.topics ?? []).filter(
    (one) => isKorean(one) === (language.value === 'ko'),
  );
  if (topics.length === 0) return null;
  const step = Math.ceil(topics.length / EXAMPLES);
  return (
    <div class="examples">
      <p class="muted tiny">{askWords().examples}</p>
      {topics
        .filter((_, at) => at % step === 0)
        .map((topic) => (
          <button key={topic} type="button" onClick={() => onChoose(topic)}>
            {topic}
          </button>
        ))}
    </div>
  );
}
