import type { Client } from '../../support/client';
import { expectCitations } from '../../support/agent/agent-report';
import { waitForEnd } from '../../support/event-log';
import { Stand } from '../../support/processes/stand';
import { fixedEndpoint } from '../../support/upstream/fixed-endpoint';

const QUESTION =
  'What is the history of kimchi, and how is it made together in Gimjang?';
/** With those that are read, as many as a search gives. */
const LEFT_OUT = {
  challenge: 'challenge',
  captcha: 'captcha',
  'consent-wall': 'consent_wall',
  paywall: 'paywall',
  'soft-404': 'soft_404',
  'empty-shell': 'empty_shell',
};
const READ = ['json-ld', 'windows-1252', 'table', 'long-pdf'];

describe('research among pages that are none, or hard to read', () => {
  let stand: Stand;
  let client: Client;
  let search: Awaited<ReturnType<typeof fixedEndpoint>>;

  beforeAll(async () => {
    stand = await Stand.start({
      searchesSandbox: true,
      workers: 0,
      env: { LITELLM_MODEL: 'sandbox-plain' },
    });
    client = stand.client();
    const urls = [...Object.keys(LEFT_OUT), ...READ].map(urlOf);
    search = await fixedEndpoint(() => {
      const results = urls.map((url) => ({
        url,
        title: 'Kimchi: its history, and Gimjang',
        content: 'The history of kimchi, and how it is made together.',
      }));
      const body = JSON.stringify({ results, unresponsive_engines: [] });
      return { status: 200, body };
    });
    await stand.addWorker({ RELAY_SEARCH: `searxng:${search.url}` });
  });
  afterAll(async () => {
    await search.close();
    await stand.stop();
  });

  const urlOf = (name: string): string =>
    `${stand.sandbox.url}/pages/hostile/${name}/en/kimchi`;

  it('names what it left out with the reasons, and reports from the others', async () => {
    const invocation = await client.submit({
      research_question: QUESTION,
      engine: 'agent',
      depth: 'standard',
    });
    const record = await waitForEnd(invocation);
    expect(record).toMatchObject({ status: 'completed', engine: 'agent' });
    expectCitations(record);
    const { body } = await client.get(
      `${invocation.path}/evidence`,
      invocation.headers,
    );
    expect(body.failed).toHaveLength(Object.keys(LEFT_OUT).length);
    for (const [name, fault] of Object.entries(LEFT_OUT))
      expect(body.failed).toContainEqual({
        what: urlOf(name),
        tried: [{ provider: 'page', fault }],
      });
    const sources = record.sources.map(({ url }: { url: string }) => url);
    expect(sources.toSorted()).toEqual(READ.map(urlOf).toSorted());
  });
});
