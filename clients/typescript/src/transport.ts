import { apiError, jsonObject, type ErrorShape } from './api-error.js';
import { Clock, type CallOptions } from './clock.js';
import {
  SondeApiError,
  SondeConnectionError,
  SondeError,
  SondeProtocolError,
  SondeUsageError,
} from './errors.js';
import { patience } from './patience.js';
import { delayOf, mayRetry, type RetryRule } from './retry.js';
import { VERSION } from './version.js';

export interface TransportOptions {
  /** Sent as `Authorization: Bearer …`; none if not given. */
  apiKey?: string;
  /** For calls that are answered at once, in milliseconds; 60,000 unless given. */
  timeoutMs?: number;
  /** How often a request is sent again at the most; 2 unless given. */
  maxRetries?: number;
  /** Instead of the built-in one. */
  fetch?: typeof fetch;
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, with its query. */
  path: string;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  retry: RetryRule;
}

/** Sends requests to one base URL under one key. */
export class Transport {
  private readonly timeoutMs: number;
  private readonly maxRetries: number;
  /** So that who prints a client does not print its key. */
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

  /** The object that the reply is; undefined for what was deleted. */
  async json<T>(
    call: Call,
    { timeoutMs = this.timeoutMs, signal }: CallOptions = {},
  ): Promise<T> {
    const clock = new Clock(timeoutMs, signal);
    const read = call.method === 'DELETE' ? readDeleted : readObject;
    try {
      return (await this.retried(call, clock, read)) as T;
    } finally {
      clock.stop();
    }
  }

  /** A reply that is an event stream; it lives as long as `clock` does not abort. */
  events(call: Call, clock: Clock): Promise<Response> {
    const asked = { ...call.headers, accept: 'text/event-stream' };
    return this.retried({ ...call, headers: asked }, clock, async (response) =>
      expectType(response, 'text/event-stream'),
    );
  }

  private async retried<T>(
    call: Call,
    clock: Clock,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    let lost = false;
    for (let n = 0; ; n += 1) {
      try {
        return await read(await this.once(call, clock));
      } catch (thrown) {
        const error = clock.errorOf(thrown);
        if (error instanceof SondeError)
          error.url ??= this.baseUrl + call.path.replace(/\?.*/s, '');
        // Nobody else removed it: the reply to an earlier try was lost.
        if (lost && call.method === 'DELETE' && statusOf(error) === 404)
          return read(new Response(null, { status: 204 }));
        lost ||= error instanceof SondeConnectionError;
        if (n >= this.maxRetries || !mayRetry(call.retry, error)) throw error;
        const delay = delayOf(n, error);
        if (delay >= clock.rest) throw error;
        await clock.sleep(delay);
      }
    }
  }

  private async once(call: Call, clock: Clock): Promise<Response> {
    const { fetch: own } = this.#options;
    const response = await (own ?? fetch)(this.baseUrl + call.path, {
      method: call.method,
      headers: this.headersOf(call),
      ...(call.body !== undefined && { body: inJson(call.body) }),
      // A key must not travel to where a redirect points.
      redirect: 'manual',
      signal: clock.signal,
      ...(own === undefined && patience()),
    });
    if (response.ok) return response;
    if (response.type === 'opaqueredirect' || response.status < 400) {
      await discard(response);
      throw protocolError(response, 'a redirect, which is not followed');
    }
    throw this.withoutKey(
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
    const known = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return Object.fromEntries(known);
  }

  /** Some services repeat the key that they refuse. */
  private withoutKey(error: SondeApiError): SondeApiError {
    const { apiKey } = this.#options;
    if (apiKey) error.message = error.message.replaceAll(apiKey, '…');
    return error;
  }
}

/** A browser sends its own, and lets nobody else say it. */
const USER_AGENT =
  'process' in globalThis && !('document' in globalThis)
    ? `sonde-client-typescript/${VERSION}`
    : undefined;

/** Refuses what no header can hold, without repeating it. */
export function printable(name: string, value: string | undefined): void {
  if (!isPrintable(value))
    throw new SondeUsageError(`${name}: must be printable ASCII`);
}

export function isPrintable(value: string | undefined): boolean {
  return value === undefined || /^[\x20-\x7e]*$/.test(value);
}

function inJson(body: unknown): string {
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
