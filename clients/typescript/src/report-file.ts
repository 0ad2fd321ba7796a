/** Formats of a report. */
export type ReportFormat = 'md' | 'html' | 'docx' | 'pdf' | 'json';

/** A report as a file. */
export class ReportFile {
  constructor(
    /** Media type, maybe with parameters. */
    readonly content_type: string,
    readonly content: Uint8Array,
  ) {}

  /** The content of `md`, `html` or `json`, decoded as UTF-8. */
  get text(): string {
    return new TextDecoder().decode(this.content);
  }
}
