import { all, type Client } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { waitForEnd } from '../../support/event-log';

const SEARCHING = [
  'sandbox-sonar',
  'sandbox-gemini-grounded',
  'sandbox-search-preview',
  'sandbox-azure-grounded',
];
const WORDINGS = ['openai', 'azure', 'litellm', 'pydantic'];
const REFUSED = ['background', 'include', 'reasoning', 'store', 'metadata'];
const QUESTION = {
  research_question: '짜장면의 역사를 자세히 알려줘 🍜',
  deliverable_format: 'markdown_report',
};
/** Each is used until it is exhausted. */
const MODELS = [
  ...SEARCHING,
  ...WORDINGS.map((wording) => `gpt-5-${wording}`),
  'gpt-5-chat',
  'gpt-5-webless',
];

describe('an endpoint with its own request format for runs', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 200,
      env: {
        RELAY_RESEARCH_MODELS: MODELS.join(','),
      },
    });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  /** Resets the sandbox, which then has neither the earlier models nor their refusals. */
  const has = async (model: string, setting: object = {}) => {
    await stand.reset();
    const before = MODELS.slice(0, MODELS.indexOf(model));
    const gone = before.map((name) => [name, { gone: true }] as const);
    await stand.configure({
      models: { ...Object.fromEntries(gone), [model]: setting },
      research_ms: 200,
    });
  };
  /** Paths and bodies of the requests that the model itself received. */
  const asked = async (model: string) =>
    (await stand.requests()).filter(({ body }) => body.model === model);

  it.each([
    ['sandbox-sonar', /^\[\d+\]$/, 1],
    ['sandbox-gemini-grounded', /^[^\n[\]]{20,}$/, 1],
    // It reports no search, only its citations.
    ['sandbox-search-preview', /^\(\[.+\]\(https:.+\)\)$/, 0],
    ['sandbox-azure-grounded', /^\[doc\d+\]$/, 1],
  ])(
    '%s researches over Chat Completions, with its own form of citations',
    async (model, cited, searches) => {
      await has(model);
      const invocation = await client.submit(QUESTION);
      const record = await waitForEnd(invocation);
      expect(record).toMatchObject({
        status: 'completed',
        error: null,
        progress: { searches },
        usage: { output_tokens: expect.any(Number) as number },
      });
      const text = Array.from(record.output_text!);
      expect(record.citations!.length).toBeGreaterThan(2);
      for (const { url, title, start_index, end_index } of record.citations!) {
        expect(text.slice(start_index, end_index).join('')).toMatch(cited);
        expect(url).toMatch(/^https:\/\/sandbox\.example\/ko\/jajangmyeon/);
        expect(title).not.toBe('');
      }
      expect(record.sources).toEqual(
        expect.arrayContaining([
          {
            url: record.citations![0].url,
            title: record.citations![0].title,
          },
        ]),
      );
      const { body } = (await asked(model)).at(-1)!;
      expect(body.stream).toBe(true);
      // Azure searches what its deployment is configured with, and its name says nothing of it.
      const isNamed = model !== 'sandbox-azure-grounded';
      expect(body.web_search_options).toEqual(isNamed ? {} : undefined);
      expect((await stand.stats()).creates).toBe(1);
    },
  );

  it.each(WORDINGS)(
    'parameters that are rejected in the words of %s are omitted one by one, and remembered',
    async (wording) => {
      const model = `gpt-5-${wording}`;
      await has(model, { refuses: REFUSED, wording });
      const first = await client.submit(QUESTION);
      expect((await waitForEnd(first)).status).toBe('completed');
      const bodies = (await asked(model)).map(({ body }) => body as object);
      expect(
        bodies.map((body) => REFUSED.filter((name) => name in body).length),
      ).toEqual([5, 4, 3, 2, 1, 0]);
      expect(bodies.at(-1)).toMatchObject({ tools: [{ type: 'web_search' }] });
      const details = (await all(first.follow())).map(
        ({ data }) => data.data.detail,
      );
      expect(details).toContain(
        'The model endpoint refuses include, reasoning, store, metadata; the run does without. ' +
          'The model endpoint has no background mode for this model: a restart of the worker would lose the run.',
      );
      const second = await client.submit(QUESTION);
      expect((await waitForEnd(second)).status).toBe('completed');
      expect(await asked(model)).toHaveLength(7);
      expect((await stand.stats()).creates).toBe(2);
    },
  );

  it('a model without Responses researches over Chat Completions, and is not tried with Responses again', async () => {
    await has('gpt-5-chat', { chat_only: true, refuses: ['stream_options'] });
    for (const _ of [1, 2])
      expect((await waitForEnd(await client.submit(QUESTION))).status).toBe(
        'completed',
      );
    expect((await asked('gpt-5-chat')).map(({ path }) => path)).toEqual([
      '/responses',
      '/chat/completions',
      '/chat/completions',
      '/chat/completions',
    ]);
    expect((await stand.stats()).creates).toBe(2);
  });

  it('a run over Chat Completions that loses its connection is not purchased again', async () => {
    await has('gpt-5-chat', { chat_only: true });
    await stand.fault({ kind: 'cut', after_events: 8 });
    expect(await waitForEnd(await client.submit(QUESTION))).toMatchObject({
      status: 'incomplete',
      error: { code: 'upstream_response_gone', retryable: true },
    });
    expect((await stand.stats()).creates).toBe(1);
  });

  it('a run over Chat Completions whose worker dies is not purchased again', async () => {
    await has('gpt-5-chat', { chat_only: true });
    await stand.fault({ kind: 'silence', after_events: 0 });
    const invocation = await client.submit(QUESTION);
    await until(
      'the run to have an upstream response',
      async (saw) => saw(await invocation.read()).upstream_response_id,
    );
    await stand.killWorkers();
    await stand.addWorker();
    expect(await waitForEnd(invocation)).toMatchObject({
      status: 'failed',
      error: { code: 'upstream_response_gone' },
    });
    expect((await stand.stats()).creates).toBe(1);
  });

  it('a request that requires the web never runs without it', async () => {
    await has('gpt-5-webless', { refuses: ['tools.web_search'] });
    const wants = { ...QUESTION, data_sources: 'web' };
    expect(await waitForEnd(await client.submit(wants))).toMatchObject({
      status: 'failed',
      error: { code: 'upstream_rejected' },
    });
    expect((await stand.stats()).creates).toBe(0);
    expect((await waitForEnd(await client.submit(QUESTION))).status).toBe(
      'completed',
    );
  });
});
