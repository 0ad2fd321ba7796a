/** Where a part of a page begins. */
export interface Heading {
  /** UTF-16 units from the start of the text of the page. */
  at: number;
  /** 1 is the highest of six. */
  level: number;
  /** In one line, at most 200 UTF-16 units. */
  text: string;
  /** What the fragment of an address may name to mean this heading; at most 8. */
  ids?: string[];
}

/** A page as text. `url` is the address that answered, after redirects. A row of a table is a line, its cells divided by tabs. */
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
  /** In the order of the text, at most 500. */
  headings?: Heading[];
  /** Addresses of its editions in other languages, as it names them; at most 50. */
  alternates?: string[];
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
  | 'encrypted'
  | NotContent;

/** What stands in place of the page that was asked for. */
export type NotContent =
  | 'challenge'
  | 'captcha'
  | 'consent_wall'
  | 'paywall'
  | 'soft_404'
  | 'empty_shell';

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
