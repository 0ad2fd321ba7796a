import type { ApiBodyOptions } from '@nestjs/swagger';

type Examples = NonNullable<
  Extract<ApiBodyOptions, { examples?: unknown }>['examples']
>;

const message = 'Tell me in detail about the history of kimchi';

/** Bodies that can be sent as they are; the first is what the pages at `/docs` open with. */
export const CHAT_EXAMPLES: Examples = {
  chat: { summary: 'A message', value: { message } },
  background: {
    summary: 'Answered later, by its chat_id',
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
    summary: 'The call is made',
    value: { approvals: [{ call_id: 'call_1', approve: true }] },
  },
  refuse: {
    summary: 'It is not, and the model is given the reason',
    value: {
      approvals: [{ call_id: 'call_1', approve: false, reason: 'Too dear' }],
    },
  },
};

export const ANSWERS_EXAMPLES: Examples = {
  answer: {
    summary: 'An answer to a question of the chat',
    value: { answers: [{ call_id: 'call_1', answer: 'The last ten years' }] },
  },
};
