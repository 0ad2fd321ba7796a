import { ProviderStand } from '../../../../test/support/search/http-provider.cases';
import { SearxngSearch } from './searxng-search';

/** The members of a reply of SearXNG 2026-08. */
const reply = (more: object) => ({
  query: 'comet',
  results: [],
  answers: [],
  corrections: [],
  infoboxes: [],
  suggestions: [],
  unresponsive_engines: [],
  ...more,
});

describe(SearxngSearch.name, () => {
  const stand = new ProviderStand(
    (http, url) => new SearxngSearch(http, url),
    reply({}),
  );
  stand.declare();

  const found = {
    url: 'https://example.org/comets',
    title: 'Comets',
    content: 'A <b>comet</b> has a tail.',
    engines: ['a'],
    score: 1,
    category: 'general',
    publishedDate: '2026-03-01T00:00:00',
  };

  it('asks for JSON, with the language and the age of the query', async () => {
    await stand.search({
      text: '혜성 & tail',
      language: 'ko',
      recency: 'week',
    });
    const { method, url } = stand.server.only;
    expect([method, url.pathname]).toEqual(['GET', '/search']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: '혜성 & tail',
      format: 'json',
      language: 'ko',
      time_range: 'week',
    });
  });

  it('takes the address of an instance with or without its path', async () => {
    await stand.at(`${stand.server.url}/search/`);
    expect(stand.server.only.url.pathname).toBe('/search');
  });

  it('reads the results', async () => {
    stand.server.answer({ body: reply({ results: [found, 'x', null] }) });
    expect((await stand.search()).hits).toEqual([
      {
        url: 'https://example.org/comets',
        title: 'Comets',
        snippet: 'A <b>comet</b> has a tail.',
        publishedAt: '2026-03-01T00:00:00',
      },
    ]);
  });

  it('reads those of searx, which counts them and leaves out dates', async () => {
    const { publishedDate: _, ...old } = found;
    const body = { ...reply({ results: [old] }), number_of_results: 0 };
    stand.server.answer({ body });
    expect((await stand.search()).hits).toHaveLength(1);
  });

  const refused = [
    ['e429', 'too many requests'],
    ['x', 'Suspended: CAPTCHA'],
  ];

  it('takes nothing from blocked engines for a failure', async () => {
    const body = reply({ unresponsive_engines: refused });
    expect(await stand.faultOf({ body })).toMatchObject({
      fault: 'blocked',
      detail: '2 of its engines did not respond',
    });
  });

  it('takes something from the others for an answer', async () => {
    const body = reply({ results: [found], unresponsive_engines: refused });
    stand.server.answer({ body });
    expect((await stand.search()).hits).toHaveLength(1);
  });

  it('explains what an instance without JSON lacks', async () => {
    const body = '<!doctype html><title>403 Forbidden</title>';
    expect(await stand.faultOf({ status: 403, body })).toMatchObject({
      fault: 'unauthorized',
      detail: 'it refuses JSON: add json to its search.formats',
    });
  });

  it('reports a query that it does not take', async () => {
    const body = { error: 'No query' };
    expect(await stand.faultOf({ status: 400, body })).toMatchObject({
      fault: 'refused_query',
    });
  });
});
