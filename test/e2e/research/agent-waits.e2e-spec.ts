import { agentEnd, startAgentStand } from '../../support/agent/agent-stand';
import { all } from '../../support/client';
import { preload } from '../../support/processes/preload';
import type { Stand } from '../../support/processes/stand';

const ROLES = ['scope', 'plan', 'notes', 'outline', 'section'];
/** At the pauses of a release these take minutes. */
const MANY = 20;

/** Replies that prove that nothing began. */
const REFUSALS: [string, object][] = [
  ['429', { status: 429 }],
  ['429 that asks to wait', { status: 429, retry_after: 7 }],
  ['503 of an overload', { status: 503, code: 'server_is_overloaded' }],
];

describe('a run of the agent whose endpoint refuses requests for now', () => {
  let stand: Stand;
  let runs = 0;

  beforeAll(async () => {
    stand = await startAgentStand();
    await stand.addWorker(preload('impatient'));
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  /** A run to its end, with the details of its waits. */
  const research = async () => {
    runs += 1;
    const marker = `case ${runs}`;
    const invocation = await stand.client().submit({
      research_question: `What is the history of kimchi (${marker})?`,
      depth: 'quick',
    });
    const { record } = await agentEnd(stand, invocation, marker);
    const frames = await all(invocation.follow());
    const waits = frames
      .filter(({ event }) => event === 'progress')
      .map(({ data }) => data.data)
      .filter(({ kind }) => kind === 'waiting');
    return { record, waits };
  };

  describe.each(REFUSALS)('with a %s', (_, reply) => {
    it.each(ROLES)(
      'waits in the role %s, says why, and completes with nothing left out',
      async (role) => {
        const match = { body: `research_${role}` };
        await stand.fault({ kind: 'status', count: MANY, match, ...reply });
        const { record, waits } = await research();
        expect(record).toMatchObject({
          status: 'completed',
          steps: { skipped: 0, ambiguous: [] },
        });
        expect(waits.length).toBeGreaterThan(0);
        expect(waits[0].detail).toMatch(/^The model endpoint is /);
      },
    );
  });
});
