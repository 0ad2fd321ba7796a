import { useState } from 'preact/hooks';
import { api, read, type Schemas } from '../api/client';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';
import { chatWords } from './chat.words';

/** What the chat waits for: approvals of calls, and answers to questions of the model. */
export function Decisions({
  chatId,
  action,
  onDecided,
}: {
  chatId: string;
  action: Schemas['RequiredActionDto'];
  onDecided: () => void;
}) {
  return (
    <>
      {action.approvals.map((one) => (
        <Approval
          key={one.call_id}
          chatId={chatId}
          call={one}
          onDecided={onDecided}
        />
      ))}
      {action.questions.map((one) => (
        <Question
          key={one.call_id}
          chatId={chatId}
          asked={one}
          onDecided={onDecided}
        />
      ))}
    </>
  );
}

function Approval({
  chatId,
  call,
  onDecided,
}: {
  chatId: string;
  call: Schemas['AwaitedApprovalDto'];
  onDecided: () => void;
}) {
  const w = chatWords();
  const { run, busy, error } = useAction(async (approve: boolean) => {
    await read(
      api.POST('/api/v1/chat/{chat_id}/approvals', {
        params: { path: { chat_id: chatId } },
        body: { approvals: [{ call_id: call.call_id, approve }] },
      }),
    );
    onDecided();
  });
  return (
    <section class="card" aria-label={w.approvalTitle(call.tool_name)}>
      <h2>{w.approvalTitle(call.tool_name)}</h2>
      <pre class="text tiny" tabIndex={0}>
        {JSON.stringify(call.arguments, null, 2)}
      </pre>
      <ErrorNote error={error} />
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={busy}
          onClick={() => run(true)}
        >
          {w.approve}
        </button>
        <button
          type="button"
          class="danger"
          disabled={busy}
          onClick={() => run(false)}
        >
          {w.refuse}
        </button>
      </div>
    </section>
  );
}

function Question({
  chatId,
  asked,
  onDecided,
}: {
  chatId: string;
  asked: Schemas['AwaitedAnswerDto'];
  onDecided: () => void;
}) {
  const w = chatWords();
  const [answer, setAnswer] = useState('');
  const { run, busy, error } = useAction(async () => {
    await read(
      api.POST('/api/v1/chat/{chat_id}/answers', {
        params: { path: { chat_id: chatId } },
        body: { answers: [{ call_id: asked.call_id, answer }] },
      }),
    );
    onDecided();
  });
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <h2>{w.questionTitle}</h2>
      <label class="field">
        <span>{asked.question}</span>
        <input
          required
          value={answer}
          onInput={(event) => setAnswer(event.currentTarget.value)}
        />
      </label>
      <ErrorNote error={error} />
      <button class="primary" disabled={busy || answer.trim() === ''}>
        {w.reply}
      </button>
    </form>
  );
}
