import { readRetryAfter } from '../../platform/egress/retry-after';
import { AppError, type ErrorCode } from '../../platform/errors';
import { contextLimitIn } from './context-limit';
import { endpointReply, jsonObject } from './endpoint-reply';
import { causeOf, isWrongUrl } from './upstream-cause';

/**
 * What a failed call proves about the requested work. `none`: nothing was started, another attempt is safe. `unknown`: it
 * may have been started.
 */
export type Effect = 'none' | 'unknown';

/** What the model endpoint reported. Only for decisions and the log at debug level: it may name hosts or quote input. */
export interface UpstreamFault {
  status?: number;
  code?: string;
  type?: string;
  param?: string;
  message?: string;
  retryAfterMs?: number;
  /** The context of the model in tokens, if a refusal of a prompt that is too long names it. */
  contextTokens?: number;
  /** The whole reply of the endpoint itself, if it is short. */
  body?: string;
}

const SHORT_BODY = 2_000;
/** Below 500, but only a timeout: the work may continue behind it. */
const TIMED_OUT = [408, 499];

export class UpstreamError extends AppError {
  constructor(
    code: ErrorCode,
    readonly effect: Effect,
    readonly fault: UpstreamFault = {},
    cause?: unknown,
    message?: string,
  ) {
    super(code, message, { cause });
    // Not enumerable, so that printing the error does not print the endpoint's report.
    Object.defineProperty(this, 'fault', { value: fault, enumerable: false });
  }

  /** The endpoint refused the request in a way that another attempt would not change. */
  get definite(): boolean {
    const { status } = this.fault;
    return (
      status !== undefined &&
      status >= 400 &&
      status < 500 &&
      ![...TIMED_OUT, 409, 425, 429].includes(status)
    );
  }

  /** There was a reply, not of failure, but it is not what the API answers. */
  get unreadable(): boolean {
    const { status } = this.fault;
    return status !== undefined && status < 400;
  }
}

/** Errors of a connection that was never established, or of a proxy that refuses: no byte of the request was passed on. */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|ERR_INVALID_URL|ERR_NO_TUNNEL|UND_ERR_INVALID_ARG)$/;

/** What OpenSSL and Node.js find wrong with a certificate, before anything is sent. */
const UNTRUSTED =
  /^(CERT_.*|.*_CERT(_.*)?|UNABLE_TO_.*|CRL_.*|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

export function connectionError(error: unknown): UpstreamError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (UNTRUSTED.test(code))
    return new UpstreamError('upstream_untrusted', 'none', {}, error);
  return new UpstreamError(
    'upstream_unreachable',
    NOT_SENT.test(code) ? 'none' : 'unknown',
    {},
    error,
  );
}

/** A reply of 500 or more that proves that nothing was begun, by what is said in it. All that a row names has to match. */
interface Refusal {
  status?: number;
  code?: RegExp;
  type?: RegExp;
  body?: RegExp;
}

const REFUSALS: readonly Refusal[] = [
  // Not implemented, and an unsupported version of HTTP.
  { status: 501 },
  { status: 505 },
  // An endpoint of OpenAI's kind that is overloaded refuses work before it starts; so does vLLM.
  { code: /^(server_is_overloaded|slow_down|engine_overloaded)$/ },
  // llama.cpp while it loads its model.
  { status: 503, type: /^unavailable_error$/ },
  // Envoy and HAProxy without an endpoint to pass the request on to.
  { status: 503, body: /^no healthy upstream$/ },
  { status: 503, body: /No server is available to handle this request/ },
];

/**
 * What the reply proves. A 5xx alone proves nothing, however detailed and whenever it asks to come back: a proxy whose
 * connection to the endpoint breaks replies in the same shape as an endpoint that refuses.
 */
function effectOf(fault: UpstreamFault & { status: number }): Effect {
  const { status, code = '', type = '', body = '' } = fault;
  if (status < 500) return TIMED_OUT.includes(status) ? 'unknown' : 'none';
  const isRefused = REFUSALS.some(
    (row) =>
      (row.status ?? status) === status &&
      (row.code?.test(code) ?? true) &&
      (row.type?.test(type) ?? true) &&
      (row.body?.test(body.trim()) ?? true),
  );
  return isRefused ? 'none' : 'unknown';
}

/**
 * Reads an error reply of an endpoint, behind any gateway: OpenAI's shape, a bare `detail`, or HTML.
 * @param model the requested model, which the message names if it does not exist.
 */
export function replyError(
  status: number,
  headers: Record<string, unknown>,
  body: string,
  model?: string,
): UpstreamError {
  const sent = jsonObject(body);
  const shape = sent && endpointReply(sent);
  const own = shape === sent ? body : JSON.stringify(shape);
  const error =
    typeof shape?.error === 'object'
      ? (shape.error as Record<string, unknown>)
      : shape;
  const fault = {
    status,
    code: text(error?.code),
    type: text(error?.type),
    param: text(error?.param),
    message: text(error?.message) ?? text(shape?.detail) ?? own.slice(0, 500),
    retryAfterMs: retryAfterMs(headers),
    ...(own.length <= SHORT_BODY && { body: own }),
  };
  const effect = effectOf(fault);
  const code = isWrongUrl(status, headers, body)
    ? 'upstream_wrong_url'
    : codeFor(status, fault);
  if (code === 'context_length_exceeded')
    return contextExceeded(effect, fault, contextLimitIn(error, body));
  const message =
    code === 'model_not_found' && model !== undefined
      ? `The model "${model.slice(0, 200)}" is not available at the model endpoint.`
      : undefined;
  return new UpstreamError(code, effect, fault, undefined, message);
}

/** A prompt that is too long for its model, with the limit in its text where it is known. */
export function contextExceeded(
  effect: Effect,
  fault: UpstreamFault,
  contextTokens?: number,
): UpstreamError {
  const message =
    contextTokens &&
    `The request is longer than the model can read: prompt and answer may have ${contextTokens} tokens together.`;
  return new UpstreamError(
    'context_length_exceeded',
    effect,
    { ...fault, ...(contextTokens && { contextTokens }) },
    undefined,
    message || undefined,
  );
}

const STATUS_OF_CODE: Record<string, number> = {
  insufficient_quota: 429,
  rate_limit_exceeded: 429,
  model_not_found: 404,
};

/**
 * Reads a frame of a stream that already returned 200: null unless it is an error, in any of the shapes that gateways use.
 */
export function frameError(frame: object): UpstreamError | null {
  const { type, object, error } = frame as Record<string, unknown>;
  if (!error && type !== 'error' && object !== 'error') return null;
  const report =
    typeof error === 'string' ? { message: error } : (error ?? frame);
  const { code } = report as { code?: unknown };
  const status = STATUS_OF_CODE[String(code)] ?? Number(code);
  const parsed = replyError(
    status >= 400 && status < 600 ? status : 500,
    {},
    JSON.stringify({ error: report }),
  );
  const { code: cause, fault, message } = parsed;
  return new UpstreamError(cause, 'unknown', fault, undefined, message);
}

function codeFor(status: number, fault: UpstreamFault): ErrorCode {
  const cause = causeOf({ ...fault, status });
  if (cause) return cause;
  if (status === 401 || status === 403) return 'upstream_unauthorized';
  if (status === 429) return 'upstream_rate_limited';
  if (status === 504 || TIMED_OUT.includes(status)) return 'upstream_timeout';
  return status >= 500 || status === 409
    ? 'upstream_error'
    : 'upstream_rejected';
}

function retryAfterMs(headers: Record<string, unknown>): number | undefined {
  const ms = text(headers['retry-after-ms']);
  if (ms !== undefined && /^\d{1,12}(\.\d{1,9})?$/.test(ms)) return Number(ms);
  // LiteLLM passes the endpoint's own headers on under this name.
  return readRetryAfter(
    text(headers['retry-after'] ?? headers['llm_provider-retry-after']),
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : undefined;
}
