import { isObject } from '../../../platform/message/call-arguments';
import { cut } from '../hits';
import {
  type ProviderReply,
  ProviderFailed,
  type SearchProvider,
  type SearchQuery,
} from '../search.types';
import {
  endpoint,
  type HttpReply,
  retryAfterOf,
  type SearchHttp,
  statusFault,
} from './search-http';

const MAX_RESULTS = 20;
/** 400 are refused. */
const MAX_QUERY = 399;
/** The plan's credits, or the limit of paying as one goes, are used up. */
const USED_UP = [432, 433];

/** The Tavily search API. */
export class TavilySearch implements SearchProvider {
  readonly parameters = ['recency'] as const;
  constructor(
    private readonly http: SearchHttp,
    private readonly url: string,
    private readonly key: string,
  ) {}

  async search(
    { text, limit, recency }: SearchQuery,
    signal: AbortSignal,
  ): Promise<ProviderReply> {
    const url = endpoint(this.url, '/search');
    const headers = {
      authorization: `Bearer ${this.key}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({
      query: cut(text, MAX_QUERY),
      max_results: Math.min(limit, MAX_RESULTS),
      search_depth: 'basic',
      ...(recency !== undefined && { time_range: recency }),
    });
    const reply = await this.http.request(
      url,
      { method: 'POST', headers, body },
      signal,
    );
    if (reply.status !== 200) throw failureOf(reply);
    return { hits: hitsOf(reply.json) };
  }
}

function hitsOf(json: unknown): ProviderReply['hits'] {
  if (!isObject(json) || !Array.isArray(json.results))
    throw new ProviderFailed('bad_reply', 'its reply holds no results');
  return json.results
    .filter(isObject)
    .map(({ url, title, content, published_date }) => ({
      url,
      title,
      snippet: content,
      publishedAt: published_date,
    }));
}

function failureOf(reply: HttpReply): ProviderFailed {
  return USED_UP.includes(reply.status)
    ? new ProviderFailed('quota_exceeded', `HTTP ${reply.status}`, {
        retryAfterMs: retryAfterOf(reply),
      })
    : statusFault(reply);
}
