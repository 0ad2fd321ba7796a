import type { Invocation } from '../api/client';
import { EMPTY } from '../ask/draft';
import { startResearch } from '../ask/submit';
import { goTo } from '../router';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { useKept } from '../ui/use-kept';
import { readWords } from './read.words';

/** Research that sees this report and its sources. */
export function FollowUp({
  record,
  depth = 'auto',
}: {
  record: Invocation;
  /** Of the report; only the agent has one. */
  depth?: string;
}) {
  const w = readWords();
  const id = record.invocation_id;
  const [question, setQuestion] = useKept(`follow/${id}`, '');
  const { run, busy, error } = useAction(async () => {
    const next = await startResearch({
      ...EMPTY,
      question,
      follows: id,
      format: 'markdown_brief',
      engine: record.engine === 'agent' ? 'agent' : 'auto',
      depth,
    });
    setQuestion(() => '');
    goTo('watch', next.invocation_id);
  });
  return (
    <form
      class="follow no-print"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <ErrorNote error={error} />
      <div class="row">
        <input
          aria-label={w.follow}
          placeholder={w.follow}
          required
          maxLength={32_000}
          value={question}
          onInput={({ currentTarget: { value } }) => setQuestion(() => value)}
        />
        <button class="primary" disabled={busy || question.trim() === ''}>
          {w.ask}
        </button>
      </div>
    </form>
  );
}
