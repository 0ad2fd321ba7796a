import { isObject } from '../../../platform/message/call-arguments';
import {
  type ProviderReply,
  ProviderFailed,
  type SearchProvider,
  type SearchQuery,
} from '../search.types';
import {
  endpoint,
  type HttpReply,
  type SearchHttp,
  statusFault,
} from './search-http';

/** A SearXNG or searx instance, which asks other engines. */
export class SearxngSearch implements SearchProvider {
  readonly parameters = ['language', 'recency'] as const;
  private readonly endpoint: URL;

  /** @param url of the instance, with or without `/search`. */
  constructor(
    private readonly http: SearchHttp,
    url: string,
  ) {
    const given = endpoint(url, '');
    given.pathname = given.pathname.replace(/\/search$/, '');
    this.endpoint = endpoint(given.href, '/search');
  }

  async search(
    { text, language, recency }: SearchQuery,
    signal: AbortSignal,
  ): Promise<ProviderReply> {
    const url = new URL(this.endpoint);
    url.search = new URLSearchParams({
      q: text,
      format: 'json',
      ...(language !== undefined && { language }),
      ...(recency !== undefined && { time_range: recency }),
    }).toString();
    const reply = await this.http.request(url, { method: 'GET' }, signal);
    if (reply.status !== 200) throw failureOf(reply);
    return { hits: hitsOf(reply.json) };
  }
}

function hitsOf(json: unknown): ProviderReply['hits'] {
  if (!isObject(json) || !Array.isArray(json.results))
    throw new ProviderFailed('bad_reply', 'its reply holds no results');
  const results = json.results.filter(isObject);
  // Its engines are asked on every search; their faults matter only if nothing else came.
  const unresponsive = json.unresponsive_engines;
  if (
    results.length === 0 &&
    Array.isArray(unresponsive) &&
    unresponsive.length
  )
    throw new ProviderFailed(
      'blocked',
      `${unresponsive.length} of its engines did not respond`,
    );
  return results.map(({ url, title, content, publishedDate }) => ({
    url,
    title,
    snippet: content,
    publishedAt: publishedDate,
  }));
}

function failureOf(reply: HttpReply): ProviderFailed {
  return reply.status === 403
    ? statusFault(reply, 'it refuses JSON: add json to its search.formats')
    : statusFault(reply);
}
