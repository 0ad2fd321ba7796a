import { ProviderStand } from '../../../../test/support/search/http-provider.cases';
import { TavilySearch } from './tavily-search';

const KEY = 'tvly-key-of-the-test';

describe(TavilySearch.name, () => {
  const stand = new ProviderStand(
    (http, url) => new TavilySearch(http, url, KEY),
    { query: 'comet', results: [], response_time: 0.1 },
  );
  stand.declare();

  it('posts the query with the key in its header alone', async () => {
    await stand.search({ limit: 50, recency: 'year' });
    const { method, url, headers, body } = stand.server.only;
    expect([method, url.pathname, url.search]).toEqual(['POST', '/search', '']);
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(body)).toEqual({
      query: 'comet',
      max_results: 20,
      search_depth: 'basic',
      time_range: 'year',
    });
  });

  it('sends less than 400 characters', async () => {
    await stand.search({ text: 'x'.repeat(400) });
    const { query } = JSON.parse(stand.server.only.body) as { query: string };
    expect(query).toHaveLength(399);
  });

  it('reads the results', async () => {
    const one = {
      title: 'Comets',
      url: 'https://example.org/',
      content: 'A comet has a tail.',
      score: 0.9,
      raw_content: null,
    };
    stand.server.answer({ body: { results: [one] } });
    expect((await stand.search()).hits).toEqual([
      { url: one.url, title: one.title, snippet: one.content },
    ]);
  });

  it.each([
    [401, { detail: { error: `Unauthorized: ${KEY}` } }, 'unauthorized'],
    [429, { detail: { error: 'excessive requests' } }, 'rate_limited'],
    [432, { detail: { error: 'plan limit' } }, 'quota_exceeded'],
    [433, { detail: { error: 'PayGo limit' } }, 'quota_exceeded'],
    [422, { detail: [{ loc: ['query'], msg: 'x' }] }, 'refused_query'],
    [400, { detail: { error: 'Query is too long.' } }, 'refused_query'],
  ])('reports %i as %j does', async (status, body, fault) => {
    const error = await stand.faultOf({ status, body });
    expect(error).toMatchObject({ fault });
    expect(String(error)).not.toContain(KEY);
  });
});
