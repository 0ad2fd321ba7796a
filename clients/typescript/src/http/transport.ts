import { apiError, jsonObject, type ErrorShape } from './api-error.js';
import { Clock, type CallOptions } from './clock.js';
import {
  SondeApiError,
  SondeConnectionError,
  SondeError,
  SondeProtocolError,
  SondeUsageError,
} from '../errors.js';
import { withoutFetchTimeouts } from './fetch-timeouts.js';
import { retryDelay, mayRetry, type RetryRule } from './retry.js';
import { VERSION } from '../version.js';

export interface TransportOptions {
  /** Sent as `Authorization: Bearer …`; no header is sent without it. */
  apiKey?: string;
  /** Time limit of calls that the service answers immediately, in milliseconds; 60,000 unless given. */
  timeoutMs?: number;
  /** Maximum number of retries of a request; 2 unless given. */
  maxRetries?: number;
  /** Replaces the built-in `fetch`. */
  fetch?: typeof fetch;
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path below the base URL, including the query. */
  path: string;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  retry: RetryRule;
}

/** Sends requests to one base URL with one API key. */
export class Transport {
  private readonly timeoutMs: number;
  private readonly maxRetries: number;
  /** Private, so that printing a client does not reveal its key. */
  readonly #options: TransportOptions;

  constructor(
    private readonly baseUrl: string,
    private readonly errors: ErrorShape,
    options: TransportOptions,
  ) {
    this.#options = options;
    this.timeoutMs = options.timeoutMs ?? 60_000;
    this.maxRetries = options.maxRetries ?? 2;
    if (!(this.timeoutMs > 0))
      throw new SondeUsageError('timeoutMs must be greater than 0');
    if (!(this.maxRetries >= 0))
      throw new SondeUsageError('maxRetries must not be negative');
    printable('apiKey', options.apiKey);
  }

  /** Returns the JSON object of the reply; undefined for 204. */
  async json<T>(
    call: Call,
    { timeoutMs = this.timeoutMs, signal }: CallOptions = {},
  ): Promise<T> {
    const clock = new Clock(timeoutMs, signal);
    const read = call.retry === 'deletion' ? readDeleted : readObject;
    try {
      return (await this.sendWithRetries(call, clock, read)) as T;
    } finally {
      clock.stop();
    }
  }

  /** Returns the bytes of the reply and their media type. */
  async file(
    call: Call,
    { timeoutMs = this.timeoutMs, signal }: CallOptions = {},
  ): Promise<{ type: string; bytes: Uint8Array }> {
    const clock = new Clock(timeoutMs, signal);
    const headers = { ...call.headers, accept: '*/*' };
    try {
      return await this.sendWithRetries({ ...call, headers }, clock, readFile);
    } finally {
      clock.stop();
    }
  }

  /** Returns a reply that is an event stream. It stays open until `clock` aborts. */
  events(call: Call, clock: Clock): Promise<Response> {
    const headers = { ...call.headers, accept: 'text/event-stream' };
    return this.sendWithRetries({ ...call, headers }, clock, async (response) =>
      expectType(response, 'text/event-stream'),
    );
  }

  private async sendWithRetries<T>(
    call: Call,
    clock: Clock,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    let replyLost = false;
    for (let n = 0; ; n += 1) {
      try {
        return await read(await this.send(call, clock));
      } catch (thrown) {
        const error = clock.errorOf(thrown);
        if (error instanceof SondeError)
          error.url ??= this.baseUrl + call.path.replace(/\?.*/s, '');
        if (replyLost && call.retry === 'deletion' && statusOf(error) === 404)
          return read(new Response(null, { status: 204 }));
        replyLost ||= error instanceof SondeConnectionError;
        if (n >= this.maxRetries || !mayRetry(call.retry, error)) throw error;
        const delay = retryDelay(n, error);
        if (delay >= clock.remaining) throw error;
        await clock.sleep(delay);
      }
    }
  }

  private async send(call: Call, clock: Clock): Promise<Response> {
    const { fetch: customFetch } = this.#options;
    const response = await (customFetch ?? fetch)(this.baseUrl + call.path, {
      method: call.method,
      headers: this.headersOf(call),
      ...(call.body !== undefined && { body: toJson(call.body) }),
      // Redirects are not followed, because the API key would be sent to their target.
      redirect: 'manual',
      signal: clock.signal,
      ...(customFetch === undefined && withoutFetchTimeouts()),
    });
    if (response.ok) return response;
    if (response.type === 'opaqueredirect' || response.status < 400) {
      await discard(response);
      throw protocolError(response, 'a redirect, which is not followed');
    }
    throw this.redactKey(
      apiError(response, await response.text(), this.errors),
    );
  }

  private headersOf({ headers, body }: Call): Record<string, string> {
    const { apiKey } = this.#options;
    const all: Record<string, string | undefined> = {
      accept: 'application/json',
      'content-type': body === undefined ? undefined : 'application/json',
      authorization: apiKey ? `Bearer ${apiKey}` : undefined,
      'user-agent': USER_AGENT,
      ...headers,
    };
    const entries = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return Object.fromEntries(entries);
  }

  /** Some services repeat the rejected key in their error message. */
  private redactKey(error: SondeApiError): SondeApiError {
    const { apiKey } = this.#options;
    if (apiKey) error.message = error.message.replaceAll(apiKey, '…');
    return error;
  }
}

/** Browsers do not allow this header to be set. */
const USER_AGENT =
  'process' in globalThis && !('document' in globalThis)
    ? `sonde-client-typescript/${VERSION}`
    : undefined;

/** Rejects values that a header cannot carry, without repeating them in the error. */
export function printable(name: string, value: string | undefined): void {
  if (!isPrintable(value))
    throw new SondeUsageError(`${name}: must be printable ASCII`);
}

export function isPrintable(value: string | undefined): boolean {
  return value === undefined || /^[\x20-\x7e]*$/.test(value);
}

function toJson(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw new SondeUsageError('the request cannot be serialized as JSON');
  }
}

async function readDeleted(response: Response): Promise<unknown> {
  return response.status === 204 ? undefined : readObject(response);
}

async function readObject(response: Response): Promise<unknown> {
  await expectType(response, 'json');
  const object = jsonObject(await response.text());
  if (object === undefined)
    throw protocolError(response, 'a body that is not a JSON object');
  return object;
}

async function readFile(response: Response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { type: response.headers.get('content-type') ?? '', bytes };
}

async function expectType(response: Response, type: string): Promise<Response> {
  if (response.headers.get('content-type')?.includes(type)) return response;
  await discard(response);
  const wanted = type === 'json' ? 'JSON' : 'an event stream';
  throw protocolError(response, `a body that is not ${wanted}`);
}

function protocolError(response: Response, what: string): SondeProtocolError {
  const { status, headers } = response;
  const text = `the server responded with ${what} (HTTP ${status})`;
  return new SondeProtocolError(text, status, headers.get('x-request-id'));
}

function statusOf(error: unknown): number | undefined {
  return error instanceof SondeApiError ? error.status : undefined;
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}
