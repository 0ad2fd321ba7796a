/** An invalid field of the request. */
export interface FieldError {
  /** E.g. `arguments.documents.0.text`. */
  path: string;
  message: string;
}

/** Base class of all errors of this library. Aborting a call rejects with the reason of its signal instead. */
export class SondeError extends Error {
  override readonly name: string = 'SondeError';
  #url: string | null = null;

  /**
   * URL of the failed request, without its query; null if no request failed. Not enumerable, so logging the error
   * omits it.
   */
  get url(): string | null {
    return this.#url;
  }

  set url(url: string | null) {
    this.#url = url;
  }
}

/** Fields of an HTTP error. */
export interface ApiErrorDetails {
  status: number;
  /** E.g. `validation_failed`; `http_error` if the reply contains no code. */
  code: string;
  message: string;
  errors?: readonly FieldError[];
  request_id?: string | null;
  retry_after_seconds?: number | null;
}

/** The service or the model endpoint responded with an HTTP error. */
export class SondeApiError extends SondeError {
  override readonly name = 'SondeApiError';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly request_id: string | null;
  /** Seconds to wait before trying again, if the reply states them. */
  readonly retry_after_seconds: number | null;

  constructor(details: ApiErrorDetails) {
    super(details.message);
    this.status = details.status;
    this.code = details.code;
    this.errors = details.errors ?? [];
    this.request_id = details.request_id ?? null;
    this.retry_after_seconds = details.retry_after_seconds ?? null;
  }
}

/** The endpoint is unreachable or the connection broke. The request may have been processed nevertheless. */
export class SondeConnectionError extends SondeError {
  override readonly name: string = 'SondeConnectionError';
}

/** No response arrived in time. Work that was already started may continue. */
export class SondeTimeoutError extends SondeConnectionError {
  override readonly name = 'SondeTimeoutError';
}

/** The response is not of the expected form, for example a web page, a redirect or invalid JSON. */
export class SondeProtocolError extends SondeError {
  override readonly name = 'SondeProtocolError';

  constructor(
    message: string,
    /** Status of the response; null if a stream contained malformed data. */
    readonly status: number | null = null,
    readonly request_id: string | null = null,
  ) {
    super(message);
  }
}

/** The arguments of the call are invalid; no request was sent. */
export class SondeUsageError extends SondeError {
  override readonly name = 'SondeUsageError';
}
