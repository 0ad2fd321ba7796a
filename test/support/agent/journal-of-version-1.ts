const NAMES = ['writer', 'reader', 'critic'];
const MODEL = {
  name: 'sandbox-plain',
  contextTokens: 32_768,
  factors: { cjk: 1, other: 1 },
};
const URL = 'https://example.com/kimchi';
const TEXT = 'Kimchi is a dish of fermented vegetables.';

const decided = (value: unknown) => ({
  input: 'decision',
  attempt: 0,
  value,
  decided: true,
});
const settled = (input: string, value: object, spent: object) => ({
  input: input.padEnd(22, '0'),
  attempt: 1,
  value,
  spent,
});
const answer = (input: string, kept: object) =>
  settled(
    input,
    { kept, used: { tokens: 900, costUsd: 0 } },
    { input_tokens: 800, output_tokens: 100 },
  );

/** The journal that the first version of the agent has left of a run whose worker was stopped while it read. */
export const JOURNAL_OF_VERSION_1: Readonly<Record<string, object>> = {
  agent_version: decided('1'),
  run: decided({
    models: Object.fromEntries(NAMES.map((name) => [name, MODEL])),
    startMs: 1_760_000_000_000,
    deadlineMs: 1_760_003_600_000,
  }),
  'scope#1': { input: 'scope'.padEnd(22, '0') },
  scope: answer('scope', {
    goal: 'The history of kimchi',
    sub_questions: ['When was it first made?'],
    language: 'en',
    recency: 'any',
    excluded: [],
    depth: 'standard',
  }),
  plan: answer('plan', {
    directions: [{ title: 'Kimchi', queries: ['history of kimchi'] }],
  }),
  sources: decided('web'),
  'queries:public0': decided([false]),
  'search:public0:0:0': settled(
    'search',
    { hits: [{ url: URL, title: 'Kimchi', private: false }] },
    { searches: 1 },
  ),
  'page:public0.0:0': settled(
    'page',
    {
      head: {
        url: URL,
        title: 'Kimchi',
        sha256: '0'.repeat(64),
        fetchedAt: '2025-10-09T08:53:20.000Z',
        windows: [{ start: 0, end: TEXT.length }],
      },
    },
    { pages: 1 },
  ),
  'read:public0.0:0:0': answer('read', {
    url: URL,
    found: [
      {
        claim: TEXT,
        quote: TEXT,
        start: 0,
        end: TEXT.length,
        window: TEXT,
      },
    ],
    missing: [],
  }),
};
