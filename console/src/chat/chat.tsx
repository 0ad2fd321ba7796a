import { useEffect, useMemo } from 'preact/hooks';
import { api, read } from '../api/client';
import { common } from '../i18n/common.words';
import { errorWords } from '../i18n/error.words';
import { nameOf } from '../i18n/language';
import { hrefOf } from '../router';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { ChatFollower, type ChatRecord } from './chat.follower';
import { chatWords } from './chat.words';
import { Composer } from './composer';
import { conversationOf, turnOf } from './conversation';
import { Decisions } from './decisions';
import { ToolCalls } from './tool-calls';
import { Said, TurnView, Words } from './turn-view';

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
      <Composer name="message" earlier={[]} />
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
  const calls = chat.calls.value;
  const turn = useMemo(
    () => turnOf(question, answer, calls, record),
    [question, answer, calls, record],
  );
  return (
    <main class="narrow chat">
      <div class="row between">
        <h1>{w.title}</h1>
        <a class="button" href={hrefOf('chat')}>
          {w.fresh}
        </a>
      </div>
      {earlier.map((one, at) => (
        <TurnView key={at} turn={one} />
      ))}
      <Said text={question} />
      <ToolCalls calls={calls} />
      {record?.required_action && (
        <Decisions
          chatId={id}
          action={record.required_action}
          onDecided={() => void chat.refresh()}
        />
      )}
      <section class="answer" aria-label={w.answer} aria-busy={!isOver}>
        {/* What is to be decided is above, in the language of the page. */}
        {!record?.required_action && <Words turn={turn} />}
        {record && <Remarks record={record} answer={answer} />}
      </section>
      <ErrorNote error={chat.error.value} onRetry={() => void chat.refresh()} />
      {record && !isOver && (
        <Working id={id} isWaiting={record.required_action !== null} />
      )}
      {isOver && (
        <Composer
          name={`message/${id}`}
          earlier={answer === '' ? earlier : [...earlier, turn]}
          last={{ question, earlier }}
        />
      )}
    </main>
  );
}

/** Why the answer is missing, or not whole. */
function Remarks({ record, answer }: { record: ChatRecord; answer: string }) {
  const w = chatWords();
  const { truncated, error, guardrail, status } = record;
  return (
    <>
      {truncated && <p class="muted tiny">{w.truncated}</p>}
      {error && !answer.includes(error.message) && (
        <p class="muted tiny">
          {nameOf(errorWords(), error.code) ?? error.message} ({error.code})
        </p>
      )}
      {guardrail && <p class="muted tiny">{w.guardrail}</p>}
      {status === 'cancelled' && <p class="muted">{w.cancelled}</p>}
      {status === 'failed' && answer === '' && <p>{w.failed}</p>}
    </>
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
