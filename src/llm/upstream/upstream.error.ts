import { AppError, type ErrorCode } from '../../errors';
import { causeOf, isWrongUrl } from './upstream.cause';

/**
 * What a failed call says about the work that was asked for.
 * `none`: nothing was begun, asking again is safe. `unknown`: it may have been begun.
 */
export type Effect = 'none' | 'unknown';

/** What the model endpoint said. Only for decisions and the log at debug level: it may name hosts or quote input. */
export interface UpstreamFault {
  status?: number;
  code?: string;
  type?: string;
  param?: string;
  message?: string;
  retryAfterMs?: number;
  /** The whole reply, if it is short. */
  body?: string;
}

const SHORT_BODY = 2_000;

export class UpstreamError extends AppError {
  constructor(
    code: ErrorCode,
    readonly effect: Effect,
    readonly fault: UpstreamFault = {},
    cause?: unknown,
    message?: string,
  ) {
    super(code, message, { cause });
    // Whoever prints this error must not print what the endpoint said.
    Object.defineProperty(this, 'fault', { value: fault, enumerable: false });
  }

  /** The endpoint gave a definite answer that repeating the call would not change. */
  get definite(): boolean {
    const { status } = this.fault;
    return (
      status !== undefined &&
      status >= 400 &&
      status < 500 &&
      ![408, 409, 425, 429].includes(status)
    );
  }
}

/** Faults of a connection that never came to be: not a byte of the request was sent. */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|.*_CERT.*|ERR_INVALID_URL)$/;

export function connectionError(error: unknown): UpstreamError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  return new UpstreamError(
    'upstream_unreachable',
    NOT_SENT.test(code) ? 'none' : 'unknown',
    {},
    error,
  );
}

/** Refused by the protocol, so that nothing was begun: not implemented, or another version of HTTP. */
const NOT_TAKEN = [501, 505];
/** Below 500, but only the end of somebody's patience: the work may go on behind it. */
const GIVEN_UP = [408, 499];
/** With these an endpoint that is overloaded turns work away before it begins any. */
const OVERLOADED = ['server_is_overloaded', 'slow_down', 'engine_overloaded'];

/**
 * What the reply proves. A 5xx proves nothing by itself, however well it explains itself: a proxy whose connection breaks
 * behind it answers in the same shape as an endpoint that has refused.
 */
function effectOf(
  fault: UpstreamFault & { status: number },
  headers: Record<string, unknown>,
  named: boolean,
): Effect {
  const { status, code = '' } = fault;
  if (status < 500) return GIVEN_UP.includes(status) ? 'unknown' : 'none';
  if (NOT_TAKEN.includes(status) || OVERLOADED.includes(code)) return 'none';
  const comeBack = headers['retry-after'] ?? headers['retry-after-ms'];
  return status === 503 && comeBack !== undefined && !named
    ? 'none'
    : 'unknown';
}

/**
 * Reads an error reply of any gateway: OpenAI's shape, a bare `detail`, HTML.
 * @param model that was asked for: the message names it where it is not there.
 */
export function replyError(
  status: number,
  headers: Record<string, unknown>,
  body: string,
  model?: string,
): UpstreamError {
  const shape = parse(body);
  const error =
    typeof shape?.error === 'object'
      ? (shape.error as Record<string, unknown>)
      : shape;
  const fault = {
    status,
    code: wrappedCode(error) ?? text(error?.code),
    type: text(error?.type),
    param: text(error?.param),
    message: text(error?.message) ?? text(shape?.detail) ?? body.slice(0, 500),
    retryAfterMs: retryAfterMs(headers),
    ...(body.length <= SHORT_BODY && { body }),
  };
  const named = shape?.id !== undefined || error?.id !== undefined;
  const effect = effectOf(fault, headers, named);
  const code = isWrongUrl(status, headers, body)
    ? 'upstream_wrong_url'
    : codeFor(status, fault);
  const message =
    code === 'model_not_found' && model !== undefined
      ? `The model "${model.slice(0, 200)}" is not available at the model endpoint.`
      : undefined;
  return new UpstreamError(code, effect, fault, undefined, message);
}

/** The code of the endpoint's own reply, which LiteLLM appends to its words; its own `code` is only the status. */
function wrappedCode(error: Record<string, unknown> | undefined) {
  const message = text(error?.message) ?? '';
  const [, reply] = /^litellm\..*?Exception - (\{.*\})/s.exec(message) ?? [];
  const inner = reply === undefined ? undefined : parse(reply)?.error;
  return text((inner as Record<string, unknown> | undefined)?.code);
}

const STATUS_OF_CODE: Record<string, number> = {
  insufficient_quota: 429,
  rate_limit_exceeded: 429,
  model_not_found: 404,
};

/** Reads a frame of a stream that already answered 200: null unless it is an error, in any of the shapes that gateways give it. */
export function frameError(frame: object): UpstreamError | null {
  const { type, object, error } = frame as Record<string, unknown>;
  if (!error && type !== 'error' && object !== 'error') return null;
  const told =
    typeof error === 'string' ? { message: error } : (error ?? frame);
  const { code } = told as { code?: unknown };
  const status = STATUS_OF_CODE[String(code)] ?? Number(code);
  const read = replyError(
    status >= 400 && status < 600 ? status : 500,
    {},
    JSON.stringify({ error: told }),
  );
  return new UpstreamError(read.code, 'unknown', read.fault);
}

function codeFor(status: number, fault: UpstreamFault): ErrorCode {
  const cause = causeOf({ ...fault, status });
  if (cause) return cause;
  if (status === 401 || status === 403) return 'upstream_unauthorized';
  if (status === 429) return 'upstream_rate_limited';
  if (status === 408 || status === 504) return 'upstream_timeout';
  return status >= 500 || status === 409
    ? 'upstream_error'
    : 'upstream_rejected';
}

function retryAfterMs(headers: Record<string, unknown>): number | undefined {
  const ms = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && ms >= 0) return ms;
  // LiteLLM hands the endpoint's own headers on under this name.
  const value = text(
    headers['retry-after'] ?? headers['llm_provider-retry-after'],
  );
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : undefined;
}
