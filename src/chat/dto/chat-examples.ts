import type { ApiBodyOptions } from '@nestjs/swagger';

type Examples = NonNullable<
  Extract<ApiBodyOptions, { examples?: unknown }>['examples']
>;

const message = 'Tell me in detail about the history of kimchi';

/** Bodies that can be sent unchanged; the pages at `/docs` show the first. */
export const CHAT_EXAMPLES: Examples = {
  chat: { summary: 'A message', value: { message } },
  background: {
    summary: 'Answered later, under its chat_id',
    value: { message, background: true },
  },
  documents: {
    summary: 'With documents of your own',
    value: {
      message: 'What does the note say about Monday?',
      documents: [{ title: 'Note', text: 'On Monday the office is closed.' }],
    },
  },
};

export const APPROVALS_EXAMPLES: Examples = {
  approve: {
    summary: 'Approve the call',
    value: { approvals: [{ call_id: 'call_1', approve: true }] },
  },
  refuse: {
    summary: 'Refuse the call; the model receives the reason',
    value: {
      approvals: [
        { call_id: 'call_1', approve: false, reason: 'Too expensive' },
      ],
    },
  },
};

export const ANSWERS_EXAMPLES: Examples = {
  answer: {
    summary: 'Answer a question of the model',
    value: { answers: [{ call_id: 'call_1', answer: 'The last ten years' }] },
  },
};
