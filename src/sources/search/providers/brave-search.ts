import { isObject } from '../../../platform/message/call-arguments';
import {
  type ProviderReply,
  ProviderFailed,
  type SearchProvider,
  type SearchQuery,
} from '../search.types';
import { braveLanguage } from './brave-languages';
import {
  endpoint,
  type HttpReply,
  retryAfterOf,
  type SearchHttp,
  statusFault,
} from './search-http';

const PATH = '/res/v1/web/search';
const MAX_COUNT = 20;
/** A budget for longer than this is the plan's, not a limit of the moment. */
const MAX_BURST_MS = 60 * 60_000;
const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;

/** The Brave Search API. */
export class BraveSearch implements SearchProvider {
  readonly parameters = ['language', 'recency'] as const;
  constructor(
    private readonly http: SearchHttp,
    private readonly url: string,
    private readonly key: string,
  ) {}

  async search(
    { text, limit, language, recency }: SearchQuery,
    signal: AbortSignal,
  ): Promise<ProviderReply> {
    const url = endpoint(this.url, PATH);
    const lang = braveLanguage(language);
    url.search = new URLSearchParams({
      q: text,
      count: String(Math.min(limit, MAX_COUNT)),
      result_filter: 'web',
      text_decorations: 'false',
      ...(lang !== undefined && { search_lang: lang }),
      ...(recency !== undefined && { freshness: FRESHNESS[recency] }),
    }).toString();
    const headers = { 'x-subscription-token': this.key };
    const reply = await this.http.request(
      url,
      { method: 'GET', headers },
      signal,
    );
    if (reply.status !== 200) throw failureOf(reply);
    return { hits: hitsOf(reply.json), pause: usedUp(reply) };
  }
}

function hitsOf(json: unknown): ProviderReply['hits'] {
  const { web, type, query } = isObject(json) ? json : {};
  // Nothing found: the member is missing.
  if (web === undefined && (type === 'search' || isObject(query))) return [];
  if (!isObject(web) || !Array.isArray(web.results))
    throw new ProviderFailed('bad_reply', 'its reply holds no results');
  return web.results
    .filter(isObject)
    .map(({ url, title, description, page_age }) => ({
      url,
      title,
      snippet: description,
      publishedAt: page_age,
    }));
}

function failureOf(reply: HttpReply): ProviderFailed {
  const { error } = isObject(reply.json) ? reply.json : {};
  const code = isObject(error) ? error.code : undefined;
  // Comes with 422, as does a query that is not valid.
  if (code === 'SUBSCRIPTION_TOKEN_INVALID')
    return new ProviderFailed('unauthorized', 'its key is not valid');
  if (reply.status !== 429) return statusFault(reply);
  const budget = usedUp(reply);
  const retryAfterMs = retryAfterOf(reply) ?? budget?.ms;
  const fault = budget?.fault ?? 'rate_limited';
  return new ProviderFailed(fault, undefined, { retryAfterMs });
}

/** The budget that is used up and resets last. The headers are lists, with an entry for each window. */
function usedUp({ headers }: HttpReply): ProviderReply['pause'] {
  const remaining = numbersIn(headers['x-ratelimit-remaining']);
  const resets = numbersIn(headers['x-ratelimit-reset']);
  const limits = numbersIn(headers['x-ratelimit-limit']);
  // A limit of 0 stands for none.
  const ended = resets.filter(
    (reset, i) => reset > 0 && remaining[i] === 0 && limits[i] !== 0,
  );
  if (ended.length === 0) return undefined;
  const ms = Math.max(...ended) * 1_000;
  return { ms, fault: ms > MAX_BURST_MS ? 'quota_exceeded' : 'rate_limited' };
}

function numbersIn(header: unknown): number[] {
  return typeof header === 'string' ? header.split(',').map(Number) : [];
}
