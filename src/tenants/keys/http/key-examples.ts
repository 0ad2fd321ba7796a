/** Bodies of the routes for keys, as the contract shows them. */
export const KEY_EXAMPLES = {
  create: {
    caller: {
      summary: 'A program that asks, with a budget of a day, for half a year',
      value: {
        name: 'alice',
        scopes: ['research', 'chat', 'read'],
        expires_at: '2027-07-01T00:00:00Z',
        budget: { day_usd: 20 },
      },
    },
    operator: {
      summary: 'Whoever operates the service',
      value: { name: 'root', scopes: ['admin'] },
    },
  },
  update: {
    limits: {
      summary: 'Another limit, and no budget any more',
      value: { limits: { concurrent_research: 5 }, budget: null },
    },
  },
  rotate: {
    hour: {
      summary: 'The text before is valid for another hour',
      value: { overlap_seconds: 3_600 },
    },
  },
  revoke: {
    cancel: {
      summary: 'What it has begun is cancelled too',
      value: { runs: 'cancel' },
    },
  },
};
