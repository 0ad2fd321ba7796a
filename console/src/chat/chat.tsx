import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, read, uniqueKey } from '../api/client';
import { common } from '../i18n/common.words';
import { goTo, hrefOf } from '../router';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { Answer } from './answer';
import { ChatFollower } from './chat.follower';
import { chatWords } from './chat.words';
import {
  type Conversation,
  conversationOf,
  send,
  type Turn,
} from './conversation';
import { Decisions } from './decisions';
import { ToolCalls } from './tool-calls';

/** Without an id: a new chat. With one: its last turn, live or from the record. */
export function Chat({ id }: { id?: string }) {
  return id === undefined ? <NewChat /> : <OpenChat id={id} />;
}

function NewChat() {
  const w = chatWords();
  return (
    <main class="narrow chat">
      <h1>{w.title}</h1>
      <p class="muted">{w.about}</p>
      <Composer earlier={[]} />
    </main>
  );
}

function OpenChat({ id }: { id: string }) {
  const w = chatWords();
  const chat = useMemo(() => new ChatFollower(id), [id]);
  useEffect(() => () => chat.close(), [chat]);
  const conversation = useMemo(() => conversationOf(id), [id]);
  const record = chat.record.value;
  const question = conversation?.question ?? record?.question ?? '';
  const earlier = conversation?.earlier ?? [];
  const isOver = ['completed', 'failed', 'cancelled'].includes(
    record?.status ?? '',
  );
  const answer = record?.content ?? chat.text.value;
  return (
    <main class="narrow chat">
      <div class="row between">
        <h1>{w.title}</h1>
        <a class="button" href={hrefOf('chat')}>
          {w.fresh}
        </a>
      </div>
      {earlier.map((turn, at) => (
        <div key={at}>
          <Said text={turn.question} />
          <div class="answer">
            <Answer text={turn.answer} />
          </div>
        </div>
      ))}
      <Said text={question} />
      <ToolCalls calls={chat.calls.value} />
      {record?.required_action && (
        <Decisions
          chatId={id}
          action={record.required_action}
          onDecided={() => void chat.refresh()}
        />
      )}
      <section class="answer" aria-label={w.answer} aria-busy={!isOver}>
        {answer !== '' && (
          <Answer
            text={answer}
            citations={record?.tool_called ? null : record?.citations}
          />
        )}
        {record?.truncated && <p class="muted tiny">{w.truncated}</p>}
        {record?.error && !answer.includes(record.error.message) && (
          <p class="muted tiny">
            {record.error.message} ({record.error.code})
          </p>
        )}
        {record?.guardrail && <p class="muted tiny">{w.guardrail}</p>}
        {record?.status === 'cancelled' && <p class="muted">{w.cancelled}</p>}
        {record?.status === 'failed' && answer === '' && <p>{w.failed}</p>}
      </section>
      <ErrorNote error={chat.error.value} onRetry={() => void chat.refresh()} />
      {record && !isOver && (
        <Working id={id} isWaiting={record.required_action !== null} />
      )}
      {isOver && (
        <Composer
          earlier={answer === '' ? earlier : [...earlier, { question, answer }]}
        />
      )}
    </main>
  );
}

function Said({ text }: { text: string }) {
  return (
    <p class="said">
      <span class="hidden-text">{chatWords().you}: </span>
      {text}
    </p>
  );
}

function Working({ id, isWaiting }: { id: string; isWaiting: boolean }) {
  const w = chatWords();
  const { run, busy, error } = useAction(async () => {
    await read(
      api.POST('/api/v1/chat/{chat_id}/cancel', {
        params: { path: { chat_id: id } },
      }),
    );
  });
  return (
    <div class="row">
      <span class="muted" role="status">
        {isWaiting ? common().status.requires_action : w.thinking}
      </span>
      <button type="button" disabled={busy} onClick={() => run()}>
        {w.stop}
      </button>
      <ErrorNote error={error} />
    </div>
  );
}

function Composer({ earlier }: { earlier: Turn[] }) {
  const w = chatWords();
  const [message, setMessage] = useState('');
  const key = useRef({ of: '', text: '' });
  const { run, busy, error } = useAction(async () => {
    const question = message.trim();
    const conversation: Conversation = { earlier, question };
    // Another text is another message.
    if (key.current.of !== question)
      key.current = { of: question, text: uniqueKey() };
    goTo('chat', await send(conversation, key.current.text));
  });
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <ErrorNote error={error} />
      <div class="row">
        <textarea
          rows={2}
          aria-label={w.message}
          placeholder={w.message}
          required
          maxLength={100_000}
          value={message}
          onInput={(event) => setMessage(event.currentTarget.value)}
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
    </form>
  );
}
