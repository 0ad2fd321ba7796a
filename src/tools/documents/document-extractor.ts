import type { Document } from '../../platform/message/document';

export interface FileText extends Document {
  /** Its end is left out: it is too long. */
  isCut?: boolean;
}

/** The reason why a file is skipped, as a predicate for its operator: `is over 5 MB`. */
export class FileFault extends Error {}

/** Reads files that are no plain texts. Whoever reads pages provides it, in the processes that search. */
export abstract class DocumentExtractor {
  /**
   * Bounded in time, memory and pages. Headings are lines as in Markdown.
   * @param bytes are given away.
   * @param extension in lower case: `.pdf`.
   * @throws FileFault, or another error where this process ends.
   */
  abstract extract(
    bytes: Uint8Array<ArrayBuffer>,
    extension: string,
  ): Promise<FileText>;
}
