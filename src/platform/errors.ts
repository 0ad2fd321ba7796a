import type { FieldError } from './field-error';

export type { FieldError } from './field-error';

/** Every error code that a response, an event or a record can carry: HTTP status, whether a retry can help, title. */
export const ERRORS = {
  // The request
  invalid_json: [400, false, 'The body is not valid JSON'],
  invalid_webhook_signature: [400, false, 'The signature is not valid'],
  budget_exceeded: [402, false, 'The budget of the API key is spent'],
  missing_api_key: [401, false, 'An API key is required'],
  invalid_api_key: [401, false, 'The API key is not valid'],
  unauthorized: [401, false, 'User and password are required'],
  invalid_invocation_token: [
    403,
    false,
    'The invocation token is wrong or missing',
  ],
  invalid_ticket: [403, false, 'The ticket is wrong or has expired'],
  insufficient_scope: [403, false, 'The API key lacks a scope'],
  forbidden: [403, false, 'Not allowed'],
  origin_not_allowed: [403, false, 'This origin may not call the API'],
  host_not_allowed: [421, false, 'This host name is not allowed'],
  not_found: [404, false, 'Not found'],
  invocation_not_found: [404, false, 'Invocation not found'],
  source_not_found: [404, false, 'The invocation has no such source'],
  evidence_not_found: [404, false, 'The invocation has no evidence'],
  report_not_found: [404, false, 'The invocation has no report'],
  share_not_found: [404, false, 'There is no such link, or it has expired'],
  chat_not_found: [404, false, 'Chat not found'],
  api_key_not_found: [404, false, 'There is no API key of this id'],
  method_not_allowed: [405, false, 'Method not allowed'],
  not_acceptable: [406, false, 'Not acceptable'],
  webhook_not_set: [409, false, 'The invocation has no webhook'],
  invocation_not_ended: [409, true, 'The invocation has not ended'],
  share_limit_reached: [409, false, 'The report has as many links as may be'],
  kept_limit_reached: [409, false, 'As many records are kept as may be'],
  not_continuable: [409, false, 'The invocation cannot be continued'],
  journal_expired: [409, false, 'The steps of the invocation are gone'],
  agent_version_unknown: [409, false, 'Its version of the agent is gone'],
  api_key_revoked: [409, false, 'The API key was revoked'],
  not_waiting: [409, false, 'Nothing is waiting for this'],
  decision_conflict: [409, false, 'A different decision was made already'],
  request_timeout: [408, true, 'The request did not arrive in time'],
  body_too_large: [413, false, 'The body is too large'],
  unsupported_media_type: [415, false, 'Unsupported media type'],
  validation_failed: [422, false, 'The request is not valid'],
  report_too_large: [422, false, 'The report is too large'],
  unknown_tool: [422, false, 'Unknown tool'],
  idempotency_mismatch: [
    422,
    false,
    'The idempotency key was used with another body',
  ],
  bad_request: [400, false, 'Bad request'],
  rate_limited: [429, true, 'Too many requests'],
  internal_error: [500, true, 'Internal error'],
  capacity_exceeded: [
    503,
    true,
    'The capacity for unfinished invocations is used up',
  ],
  server_busy: [503, true, 'Too many requests are arriving at once'],
  queue_unavailable: [503, true, 'The queue is unavailable'],
  record_too_new: [
    503,
    true,
    'The record was written by a newer version of the service',
  ],
  shutting_down: [503, true, 'The server is shutting down'],
  webhook_not_handled: [503, true, 'The event could not be processed'],

  // The model endpoint
  upstream_timeout: [504, true, 'The model endpoint did not answer in time'],
  upstream_unreachable: [502, true, 'The model endpoint cannot be reached'],
  upstream_error: [502, true, 'The model endpoint failed'],
  upstream_rate_limited: [503, true, 'The model endpoint is limiting requests'],
  upstream_rejected: [502, false, 'The model endpoint refused the request'],
  upstream_unauthorized: [
    502,
    false,
    'The model endpoint refused the credentials',
  ],
  upstream_quota_exceeded: [
    502,
    false,
    'The quota of the model endpoint is exceeded',
  ],
  upstream_wrong_url: [
    502,
    false,
    'The model endpoint answered with a web page: its base URL may be wrong',
  ],
  upstream_untrusted: [
    502,
    false,
    'The certificate of the model endpoint is not trusted: NODE_EXTRA_CA_CERTS names the file of its authority',
  ],
  upstream_overloaded: [503, true, 'The model is overloaded'],
  model_not_found: [
    502,
    false,
    'The model is not available at the model endpoint',
  ],
  context_length_exceeded: [
    422,
    false,
    'The request is longer than the model can read',
  ],
  content_policy: [
    422,
    false,
    'The model endpoint refused the request by its content policy',
  ],
  max_turns_exceeded: [
    502,
    false,
    'The model called tools in every turn and gave no answer',
  ],

  // Tools
  tool_failed: [502, false, 'The tool failed'],
  tool_timeout: [504, true, 'The tool did not finish in time'],
  tool_unavailable: [503, true, 'The tool is not available now'],
  tool_interrupted: [
    502,
    true,
    'It is unknown whether the tool completed, so it was not run again',
  ],

  // How a run can end
  api_key_removed: [
    403,
    false,
    'The API key that it was created with is no longer valid',
  ],
  chat_timeout: [504, true, 'The time limit of the chat passed'],
  research_timeout: [504, true, 'The research time limit passed'],
  model_refused: [422, false, 'The model refused to answer'],
  max_output_tokens: [422, false, 'The output token limit was reached'],
  content_filter: [422, false, 'The content filter stopped the output'],
  upstream_incomplete: [502, false, 'The model ended early'],
  upstream_failed: [502, true, 'The model could not finish'],
  upstream_cancelled: [
    502,
    true,
    'The run was cancelled at the model endpoint',
  ],
  upstream_response_gone: [
    502,
    true,
    'The run is no longer known at the model endpoint',
  ],
  empty_output: [502, true, 'The model finished without any output'],
  output_too_large: [502, false, 'The output is over the memory limit'],
  journal_too_large: [
    502,
    false,
    'The steps of the run are over the memory limit',
  ],
  journal_mismatch: [
    500,
    false,
    'The steps on record do not match those of the run, so none was repeated',
  ],
  step_failed: [502, true, 'A step that the run cannot do without failed'],
  agent_model_failed: [502, true, 'The model gave no usable answer'],
  search_failed: [502, true, 'No search succeeded'],
  nothing_found: [502, false, 'Nothing was found that answers the question'],
  research_limit_reached: [502, false, 'A limit of the run was reached'],
  ambiguous_submit: [
    502,
    true,
    'It is unknown whether the run was started, so it was not started again',
  ],
  worker_crashed_repeatedly: [
    500,
    true,
    'Workers crashed repeatedly on this run',
  ],
  cancelled: [409, false, 'The invocation was cancelled'],
  plan_refused: [409, false, 'The plan was refused'],
} as const satisfies Record<
  string,
  readonly [status: number, retryable: boolean, title: string]
>;

export type ErrorCode = keyof typeof ERRORS;

const WEBHOOK_FAULT =
  /^webhook_(refused_address|timeout|unreachable|unsigned|status_\d{3})$/;

/** Why a webhook could not be delivered, e.g. `webhook_status_500`. For operators: no response or record contains it. */
export type WebhookFault =
  | 'webhook_refused_address'
  | 'webhook_timeout'
  | 'webhook_unreachable'
  | 'webhook_unsigned'
  | `webhook_status_${number}`;

/** False for a code that only another version of the service knows. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** Whether a text is exactly one of our codes, so that it is safe to show to an operator. */
export function isCode(text: string): boolean {
  return isErrorCode(text) || WEBHOOK_FAULT.test(text);
}

export interface AppErrorOptions {
  /** Logged at debug level only: it never reaches a response, an event or a record. */
  cause?: unknown;
  errors?: FieldError[];
  retryAfterSeconds?: number;
  /** The limit that was reached, by its name, e.g. `budget.day_usd`. */
  limit?: string;
  /** When it ends, RFC 3339. */
  resetsAt?: string;
}

/** The error that all rooms throw. `message` is safe to show to any caller. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;
  readonly retryable: boolean;
  readonly title: string;
  readonly errors?: FieldError[];
  readonly retryAfterSeconds?: number;
  readonly limit?: string;
  readonly resetsAt?: string;

  constructor(
    readonly code: ErrorCode,
    message?: string,
    options: AppErrorOptions = {},
  ) {
    super(message ?? `${ERRORS[code][2]}.`, { cause: options.cause });
    [this.status, this.retryable, this.title] = ERRORS[code];
    this.errors = options.errors;
    // Another process takes the request, or this one once it has started again.
    this.retryAfterSeconds =
      options.retryAfterSeconds ?? (code === 'shutting_down' ? 1 : undefined);
    this.limit = options.limit;
    this.resetsAt = options.resetsAt;
  }
}
