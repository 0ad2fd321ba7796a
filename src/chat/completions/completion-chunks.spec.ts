import { openReply } from '../loop/chat-reply';
import type { ChatReply } from '../dto/chat-response.dto';
import type { ChatEvent } from '../stream/chat-event';
import { chunkFrames } from './completion-chunks';
import { newHead } from '../../platform/http/openai/completion-shape';
import { completionOf } from './chat-completion';

const HEAD = newHead('m');
const delta = (index: number, text: string): ChatEvent => ({
  type: 'delta',
  data: { contents: [{ index, type: 'text', text }] },
});
const reply = (more: Partial<ChatReply>): ChatReply => ({
  ...openReply('completed'),
  ...more,
});
const completed = (more: Partial<ChatReply>): ChatEvent => ({
  type: 'completed',
  data: reply(more),
});

interface Frame {
  json?: string;
  data?: {
    error?: object;
    choices: {
      delta: {
        content?: string;
        reasoning_content?: string;
        annotations?: object[];
        tool_calls?: object[];
      };
      finish_reason: string | null;
    }[];
  };
}

async function framesOf(...events: ChatEvent[]): Promise<Frame[]> {
  async function* all() {
    yield* events;
  }
  const frames: Frame[] = [];
  for await (const frame of chunkFrames(all(), HEAD, false))
    frames.push(frame as Frame);
  return frames;
}
const choicesIn = (frames: Frame[]) =>
  frames.flatMap(({ data }) => data?.choices ?? []);
const textIn = (frames: Frame[]) =>
  choicesIn(frames)
    .map((choice) => choice.delta.content ?? '')
    .join('');
const cited = (start_index: number, end_index: number) => [
  { url: 'https://a.example', title: '', start_index, end_index },
];
const step = (data: object): ChatEvent => ({
  type: 'tool_progress',
  data: {
    call_id: 'c',
    invocation_id: 'i',
    type: 'progress',
    status: 'running',
    data,
  },
});
const calls = [
  {
    type: 'function' as const,
    id: 'c1',
    function: { name: 'f', arguments: { a: 1 } },
  },
];

describe(chunkFrames.name, () => {
  it('shows the steps of research as thoughts, not as text', async () => {
    const frames = await framesOf(
      step({ kind: 'web_search', detail: 'kimchi' }),
      step({ kind: 'reasoning', detail: 'It is old.' }),
      delta(0, 'Old.'),
      completed({ content: 'Old.' }),
    );
    const thoughts = choicesIn(frames).flatMap(
      ({ delta: { reasoning_content } }) => reasoning_content ?? [],
    );
    expect(thoughts).toEqual(['Search: kimchi\n\n', 'It is old.\n\n']);
    expect(textIn(frames)).toBe('Old.');
  });

  it('sends the deltas, and nothing twice', async () => {
    const frames = await framesOf(
      delta(0, 'He'),
      delta(0, 'llo'),
      completed({ content: 'Hello' }),
    );
    expect(textIn(frames)).toBe('Hello');
    expect(frames.at(-1)).toEqual({ json: '[DONE]' });
    expect(choicesIn(frames).at(-1)).toMatchObject({ finish_reason: 'stop' });
  });

  it('separates turns, and moves citations to their place in the whole text', async () => {
    const frames = await framesOf(
      delta(0, '🍜 Wait.'),
      delta(1, 'Kimchi.'),
      completed({ content: 'Kimchi.', citations: cited(0, 6) as never }),
    );
    const text = textIn(frames);
    expect(text).toBe('🍜 Wait.\n\nKimchi.');
    const [found] = choicesIn(frames).flatMap(
      (choice) => choice.delta.annotations ?? [],
    ) as { url_citation: { start_index: number; end_index: number } }[];
    const { start_index, end_index } = found.url_citation;
    expect(Array.from(text).slice(start_index, end_index).join('')).toBe(
      'Kimchi',
    );
  });

  it('sends a reply that was no delta', async () => {
    const guardrail = { name: 'g', stage: 'output', tool_name: null } as const;
    const frames = await framesOf(completed({ content: 'No.', guardrail }));
    expect(textIn(frames)).toBe('No.');
    expect(choicesIn(frames).at(-1)!.finish_reason).toBe('content_filter');
  });

  it('hands calls back, after a report that came before them', async () => {
    const frames = await framesOf(
      delta(0, 'Let me see.'),
      completed({
        content: 'Let me see.',
        research_summary: 'A report.',
        message: { role: 'assistant', contents: [], tool_calls: calls },
      }),
    );
    expect(textIn(frames)).toBe('Let me see.\n\nA report.');
    const found = choicesIn(frames).flatMap(
      (choice) => choice.delta.tool_calls ?? [],
    );
    expect(found).toEqual([
      {
        index: 0,
        id: 'c1',
        type: 'function',
        function: { name: 'f', arguments: '{"a":1}' },
      },
    ]);
    expect(choicesIn(frames).at(-1)!.finish_reason).toBe('tool_calls');
  });

  it('ends with an error, and without [DONE]', async () => {
    const frames = await framesOf(delta(0, 'He'), {
      type: 'error',
      data: { code: 'upstream_timeout', message: 'Too late.' },
    });
    expect(frames.at(-1)!.data!.error).toMatchObject({
      code: 'upstream_timeout',
      message: 'Too late.',
      type: 'server_error',
    });
    const failed = await framesOf({
      type: 'completed',
      data: {
        ...openReply('failed'),
        error: { code: 'upstream_error', message: 'No.', retryable: true },
      },
    });
    expect(failed.at(-1)!.data!.error).toMatchObject({
      code: 'upstream_error',
    });
  });
});

describe(completionOf.name, () => {
  const messageOf = (more: Partial<ChatReply>) =>
    completionOf(reply(more), HEAD).choices[0].message;
  const rangesOf = (more: Partial<ChatReply>) =>
    messageOf(more).annotations!.map(({ url_citation: at }) => [
      at.start_index,
      at.end_index,
    ]);

  it('cites in its text, or at its end', () => {
    const research = {
      research_summary: 'A report.',
      citations: cited(2, 8) as never,
    };
    expect(rangesOf({ content: 'A report.', ...research })).toEqual([[2, 8]]);
    expect(rangesOf({ content: 'So: A report.', ...research })).toEqual([
      [6, 12],
    ]);
    expect(rangesOf({ content: 'Other.', ...research })).toEqual([[6, 6]]);
  });

  it('has a null content where it only calls', () => {
    const message = { role: 'assistant' as const, contents: [] };
    expect(
      messageOf({ message: { ...message, tool_calls: calls } }).content,
    ).toBeNull();
  });

  it('says that the limit of the output cut the text', () => {
    const cut = completionOf(reply({ content: 'A', truncated: true }), HEAD);
    expect(cut.choices[0].finish_reason).toBe('length');
  });

  it('has what opens a chat that waits for a decision', () => {
    const required_action = { approvals: [], questions: [] };
    const { sonde } = completionOf(
      reply({
        status: 'requires_action',
        content: 'This needs your approval: f.',
        required_action,
        chat_id: 'chat_1',
        invocation_token: 't',
      }),
      HEAD,
    );
    expect(sonde).toEqual({
      chat_id: 'chat_1',
      invocation_token: 't',
      required_action,
    });
  });
});
