export type Scope = 'public' | 'private';

export interface SearchQuery {
  text: string;
  scope: Scope;
  limit: number;
  /** `xx` or `xx-YY`; a chain leaves out any other. */
  language?: string;
  recency?: 'day' | 'week' | 'month' | 'year';
}

export interface SearchHit {
  url: string;
  title: string;
  snippet: string;
  provider: string;
  /** ISO 8601. */
  publishedAt?: string;
  /** The whole text where the provider has it: there is nothing to fetch. */
  content?: string;
}

export type SearchFault =
  | 'timeout'
  | 'unreachable'
  | 'rate_limited'
  | 'unauthorized'
  | 'quota_exceeded'
  | 'blocked'
  | 'bad_reply'
  | 'circuit_open'
  | 'refused_query';

/** The faults that a provider reports of the account, which therefore hold for every worker. */
export type PauseFault = Extract<
  SearchFault,
  'rate_limited' | 'unauthorized' | 'quota_exceeded'
>;

export interface Attempt {
  provider: string;
  fault: SearchFault;
  /** Of an open circuit, the failure that opened it. */
  after?: SearchFault;
}

export interface SearchOutcome {
  /** The provider whose answer this is. */
  provider: string;
  hits: SearchHit[];
  /** The providers that failed before and after it. */
  tried: Attempt[];
}

/** A hit as a provider sent it: nothing in it is checked or bounded yet. */
export interface RawHit {
  url?: unknown;
  /** The `document:` URL of one of the operator's own documents; no provider on the network has any. */
  document?: string;
  title?: unknown;
  snippet?: unknown;
  publishedAt?: unknown;
  content?: string;
}

export interface ProviderReply {
  hits: RawHit[];
  /** No further request before this many milliseconds have passed, as the provider announced. */
  pause?: { ms: number; fault: PauseFault };
}

/** What a search works without. */
export type SearchParameter = 'language' | 'recency';

/** One source of hits. */
export interface SearchProvider {
  /** Those that it sends. */
  readonly parameters?: readonly SearchParameter[];
  /** @throws ProviderFailed, or any other error once `signal` has aborted. */
  search(query: SearchQuery, signal: AbortSignal): Promise<ProviderReply>;
}

/** One provider gave no answer. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';

  /** @param detail in words of our own: never a text of the provider, a key, a host or the query. */
  constructor(
    readonly fault: SearchFault,
    readonly detail?: string,
    readonly options: {
      /** The pause that the provider asked for. */
      retryAfterMs?: number;
      /** The failure that opened the circuit. */
      after?: SearchFault;
      /** Logged at debug level only. */
      cause?: unknown;
    } = {},
  ) {
    super(detail ? `${fault}: ${detail}` : fault, { cause: options.cause });
  }
}

/** No provider of the scope gave an answer. The message names providers and faults alone. */
export class SearchFailed extends Error {
  override readonly name = 'SearchFailed';

  constructor(readonly tried: readonly Attempt[]) {
    const faults = tried.map(({ provider, fault }) => `${provider} ${fault}`);
    super(
      `No search provider answered (${faults.join(', ') || 'none is set'}).`,
    );
  }
}
