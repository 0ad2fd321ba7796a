import type { RunRecord } from '../../runs/record/run-record';
import { failureText, openReply } from './chat-reply';
import type { ChatReply } from '../dto/chat-response.dto';
import { chatView } from './chat-view';

const CHAT_FAILED = 'The chat request failed. Please retry later.';
const stored = (status: ChatReply['status']) => ({
  ...openReply(status),
  content: 'Stored.',
  required_action:
    status === 'requires_action' ? { approvals: [], questions: [] } : null,
});
const record = (
  status: string,
  response: ChatReply | null,
  more: Partial<RunRecord> = {},
) =>
  ({
    id: 'chat_1',
    status,
    response,
    error: null,
    createdMs: 0,
    startedMs: 1_000,
    completedMs: null,
    expiresMs: null,
    undecided: [],
    ...more,
  }) as RunRecord;

describe(chatView.name, () => {
  it.each<[string, ChatReply | null, string | null]>([
    ['queued', null, null],
    ['running', null, null],
    ['running', stored('requires_action'), null],
    ['queued', stored('requires_action'), null],
    ['requires_action', stored('requires_action'), 'Stored.'],
    ['completed', stored('completed'), 'Stored.'],
    ['failed', stored('failed'), 'Stored.'],
    ['failed', null, CHAT_FAILED],
    ['failed', stored('requires_action'), CHAT_FAILED],
    ['cancelled', null, null],
    ['cancelled', stored('requires_action'), null],
  ])('has the content of a chat that is %s', (status, response, content) => {
    const view = chatView(record(status, response));
    expect(view).toMatchObject({ status, content, chat_id: 'chat_1' });
    expect(view.required_action !== null).toBe(status === 'requires_action');
  });

  it('lists only the calls that are undecided', () => {
    const approvals = ['a', 'b'].map((call_id) => ({
      call_id,
      tool_name: 'erase',
      arguments: {},
    }));
    const questions = [{ call_id: 'c', question: 'Which?' }];
    const required_action = { approvals, questions };
    const reply = { ...stored('requires_action'), required_action };
    const waits = record('requires_action', reply, { undecided: ['b'] });
    expect(chatView(waits).required_action).toEqual({
      approvals: [approvals[1]],
      questions: [],
    });
  });

  it.each([
    [true, CHAT_FAILED],
    [false, 'The chat request failed. It stays so.'],
  ])('asks for a retry where the error is retryable: %p', (retryable, text) => {
    const error = { code: 'chat_timeout', message: 'It stays so.', retryable };
    const { content } = chatView(record('failed', null, { error }));
    expect(content).toBe(text);
    expect(failureText(error, 'look')).toBe(
      text.replace('The chat request', 'look'),
    );
  });

  it('completes the calls that a worker of an earlier release has stored', () => {
    const call = { tool_name: 'look', call_id: 'a', status: 'failed' };
    const reply = { ...stored('completed'), tool_calls: [call] };
    const view = chatView(record('completed', reply as unknown as ChatReply));
    expect(view.tool_calls).toEqual([{ ...call, error: null }]);
  });

  it('holds the times, the error, and the token only if it is new', () => {
    const error = {
      code: 'chat_timeout',
      message: 'm',
      retryable: true,
    } as const;
    expect(chatView(record('failed', null, { error }), 'token')).toMatchObject({
      error,
      invocation_token: 'token',
      created_at: '1970-01-01T00:00:00.000Z',
      started_at: '1970-01-01T00:00:01.000Z',
      completed_at: null,
    });
    expect(chatView(record('running', null)).invocation_token).toBeNull();
  });
});
