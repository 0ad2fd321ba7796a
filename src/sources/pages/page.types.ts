/** A page as text. `url` is the address that answered, after redirects. */
export interface Page {
  url: string;
  title: string;
  text: string;
  language?: string;
  /** Of the body, decompressed. */
  sha256: string;
  fetchedAt: string;
  mime: string;
  /** The page is longer than its text, which ends at a limit. */
  truncated?: true;
}

export type PageFault =
  | 'address_refused'
  | 'robots'
  | 'timeout'
  | 'too_large'
  | 'unreachable'
  | 'http_error'
  | 'unsupported_type'
  | 'unreadable'
  | 'empty'
  | 'encrypted';

/** Why a page has no text. Its message never holds the address or what the host answered. */
export class PageUnreadable extends Error {
  override readonly name = 'PageUnreadable';
  /** The HTTP status, for `http_error`. */
  readonly status?: number;

  constructor(
    readonly fault: PageFault,
    { status, cause }: { status?: number; cause?: unknown } = {},
  ) {
    super(`The page cannot be read: ${fault}`, { cause });
    this.status = status;
  }
}
