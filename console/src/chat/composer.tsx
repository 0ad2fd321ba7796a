import { useRef } from 'preact/hooks';
import { uniqueKey } from '../api/client';
import { goTo } from '../router';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { useKept } from '../ui/use-kept';
import { ChatOptionFields, useOffered } from './chat-options';
import { chatWords } from './chat.words';
import { type ChatOptions, send, type Turn } from './conversation';

const AS_OFFERED: ChatOptions = { model: '', without: [] };

/** The next message, and the one before again. */
export function Composer({
  name,
  earlier,
  last,
}: {
  /** Under which the tab keeps what is typed. */
  name: string;
  /** What was said before, the last turn included if it was answered. */
  earlier: Turn[];
  /** The message that may be repeated, and what was said before it. */
  last?: { question: string; earlier: Turn[] };
}) {
  const w = chatWords();
  const [message, setMessage] = useKept(name, '');
  const [options, setOptions] = useKept('chat-options', AS_OFFERED);
  const offered = useOffered();
  const key = useRef({ of: '', text: '' });
  const { run, busy, error } = useAction(
    async (question: string, before: Turn[]) => {
      const { model } = options;
      const tools = offered.tools.filter(
        (one) => !options.without.includes(one),
      );
      const isAll = tools.length === offered.tools.length;
      const chosen = {
        // A model that is allowed no more is not insisted on.
        model: offered.models.includes(model) ? model : '',
        tools: isAll ? undefined : tools,
      };
      // Another text is another message.
      const content = JSON.stringify([question, before.length, chosen]);
      if (key.current.of !== content)
        key.current = { of: content, text: uniqueKey() };
      const conversation = { earlier: before, question };
      const id = await send(conversation, chosen, key.current.text);
      setMessage((typed) => (typed.trim() === question ? '' : typed));
      goTo('chat', id);
    },
  );
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        run(message.trim(), earlier);
      }}
    >
      <ErrorNote error={error} />
      <div class="row">
        <textarea
          rows={2}
          aria-label={w.message}
          placeholder={w.message}
          required
          maxLength={32_000}
          value={message}
          onInput={({ currentTarget: { value } }) => setMessage(() => value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing)
              return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <button class="primary" disabled={busy || message.trim() === ''}>
          {w.send}
        </button>
      </div>
      {last && (
        <button
          type="button"
          disabled={busy}
          onClick={() => run(last.question, last.earlier)}
        >
          {w.repeat}
        </button>
      )}
      <ChatOptionFields
        offered={offered}
        options={options}
        onChange={(next) => setOptions(() => next)}
      />
    </form>
  );
}
