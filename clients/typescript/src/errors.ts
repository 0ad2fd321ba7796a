/** A fault of one field of the request. */
export interface FieldError {
  /** E.g. `arguments.documents.0.text`. */
  path: string;
  message: string;
}

/** Anything that goes wrong here is one of these; what the caller aborts rejects with the reason of its signal. */
export class SondeError extends Error {
  override readonly name: string = 'SondeError';
  #url: string | null = null;

  /** What was asked for, without its query; null where no request failed. A log of the error does not have it. */
  get url(): string | null {
    return this.#url;
  }

  set url(url: string | null) {
    this.#url = url;
  }
}

/** What an HTTP error says of itself. */
export interface ApiErrorDetails {
  status: number;
  /** E.g. `validation_failed`; `http_error` where the reply does not say. */
  code: string;
  message: string;
  errors?: readonly FieldError[];
  request_id?: string | null;
  retry_after_seconds?: number | null;
}

/** The service, or the model endpoint, refused with an HTTP error. */
export class SondeApiError extends SondeError {
  override readonly name = 'SondeApiError';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly request_id: string | null;
  /** When to try again, in seconds, if the reply says so. */
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

/** No answer came: unreachable, or the connection broke. What was asked for may have been done all the same. */
export class SondeConnectionError extends SondeError {
  override readonly name: string = 'SondeConnectionError';
}

/** The answer did not come in time. What was begun goes on. */
export class SondeTimeoutError extends SondeConnectionError {
  override readonly name = 'SondeTimeoutError';
}

/** An answer that is not what it should be: a web page, a redirect, broken JSON. */
export class SondeProtocolError extends SondeError {
  override readonly name = 'SondeProtocolError';

  constructor(
    message: string,
    /** Of the reply; null for what is wrong with the text of a stream. */
    readonly status: number | null = null,
    readonly request_id: string | null = null,
  ) {
    super(message);
  }
}

/** What is asked for is at fault; nothing was sent. */
export class SondeUsageError extends SondeError {
  override readonly name = 'SondeUsageError';
}
