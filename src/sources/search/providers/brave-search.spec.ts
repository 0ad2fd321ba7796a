import { ProviderStand } from '../../../../test/support/search/http-provider.cases';
import { braveLanguage } from './brave-languages';
import { BraveSearch } from './brave-search';

const KEY = 'BSA-key-of-the-test';

describe(BraveSearch.name, () => {
  const stand = new ProviderStand(
    (http, url) => new BraveSearch(http, url, KEY),
    { type: 'search', query: { original: 'comet' } },
  );
  stand.declare();

  /** Its error body. */
  const error = (status: number, code: string, meta = {}) => ({
    type: 'ErrorResponse',
    error: { id: '1', status, code, detail: `about ${KEY}`, meta },
    time: 1,
  });

  it('sends the key in its header alone, and the query in its terms', async () => {
    await stand.search({ limit: 50, language: 'ja-JP', recency: 'month' });
    const { method, url, headers } = stand.server.only;
    expect([method, url.pathname]).toEqual(['GET', '/res/v1/web/search']);
    expect(headers['x-subscription-token']).toBe(KEY);
    expect(url.href).not.toContain(KEY);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'comet',
      count: '20',
      result_filter: 'web',
      text_decorations: 'false',
      search_lang: 'jp',
      freshness: 'pm',
    });
  });

  it.each([
    ['ko', 'ko'],
    ['en-GB', 'en-gb'],
    ['en-US', 'en'],
    ['zh-TW', 'zh-hant'],
    ['pt-BR', 'pt-br'],
    ['pt', 'pt-pt'],
    ['tlh', undefined],
    [undefined, undefined],
  ])('asks for the language %s as %s', (tag, name) => {
    expect(braveLanguage(tag)).toBe(name);
  });

  it('reads the results of the web', async () => {
    const one = {
      title: 'Comets',
      url: 'https://example.org/',
      description: 'A <strong>comet</strong> &amp; its tail.',
      page_age: '2026-03-01T10:00:00',
    };
    const body = { type: 'search', web: { type: 'search', results: [one] } };
    stand.server.answer({ body });
    expect(await stand.search()).toEqual({
      hits: [
        {
          url: one.url,
          title: one.title,
          snippet: one.description,
          publishedAt: one.page_age,
        },
      ],
      pause: undefined,
    });
  });

  /** The headers hold a list, with an entry for each window. */
  const budgets = (remaining: string, reset: string) => ({
    'x-ratelimit-limit': '1, 2000',
    'x-ratelimit-policy': '1;w=1, 2000;w=2592000',
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
  });

  it.each([
    ['0, 1999', '1, 2591000', { ms: 1_000, fault: 'rate_limited' }],
    ['0, 0', '1, 86400', { ms: 86_400_000, fault: 'quota_exceeded' }],
    ['1, 1999', '1, 2591000', undefined],
    ['', '', undefined],
  ])(
    'reads from a reply with %s requests left for %s s how long to pause',
    async (remaining, reset, pause) => {
      const headers = budgets(remaining, reset);
      stand.server.answer({ headers, body: { type: 'search' } });
      expect((await stand.search()).pause).toEqual(pause);
    },
  );

  it('pauses for no budget without a limit', async () => {
    const headers = { ...budgets('0, 0', '1, 9'), 'x-ratelimit-limit': '1, 0' };
    stand.server.answer({ headers, body: { type: 'search' } });
    expect((await stand.search()).pause?.ms).toBe(1_000);
  });

  it.each([
    ['0, 1500', '1, 1419704', 'rate_limited', 1_000],
    ['0, 0', '1, 1419704', 'quota_exceeded', 1_419_704_000],
  ])(
    'tells a used up second from a used up month (%s)',
    async (remaining, reset, fault, retryAfterMs) => {
      const headers = budgets(remaining, reset);
      const body = error(429, 'RATE_LIMITED', { plan: 'Free' });
      expect(await stand.faultOf({ status: 429, headers, body })).toMatchObject(
        { fault, options: { retryAfterMs } },
      );
    },
  );

  it.each([401, 403, 422])(
    'reports an invalid key with status %i, and not its text',
    async (status) => {
      const body = error(status, 'SUBSCRIPTION_TOKEN_INVALID');
      const fault = await stand.faultOf({ status, body });
      expect(fault).toMatchObject({ fault: 'unauthorized' });
      expect(String(fault)).not.toContain(KEY);
    },
  );

  it('reports a query that it does not take', async () => {
    const body = error(422, 'VALIDATION');
    expect(await stand.faultOf({ status: 422, body })).toMatchObject({
      fault: 'refused_query',
    });
  });
});
