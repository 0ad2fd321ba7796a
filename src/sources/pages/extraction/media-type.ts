export const DOCX =
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Types that are text, or that servers give to PDF and DOCX. */
const READABLE =
  /^($|text\/|[^/]+\/(x-)?(xhtml\+xml|xml|json|pdf|markdown|octet-stream|force-download|download|zip|msword)$|application\/.*\+(json|xml)$|application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document$)/;

const PDF_HEADER_WITHIN = 1_024;

/** By what the bytes begin with; the declared type only says how to read text. */
export type Container = 'pdf' | 'zip' | 'compound' | 'text';

/** `text/html` of `Text/HTML; charset=utf-8`. */
export function essence(contentType: string): string {
  return contentType.split(/[;,]/, 1)[0].trim().toLowerCase();
}

/** Whether a body of this type is worth its download. */
export function isReadableType(contentType: string): boolean {
  return READABLE.test(essence(contentType));
}

export function containerOf(bytes: Uint8Array): Container {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .subarray(0, PDF_HEADER_WITHIN)
    .toString('latin1');
  if (head.startsWith('PK\x03\x04')) return 'zip';
  if (head.startsWith('\xd0\xcf\x11\xe0')) return 'compound';
  return head.includes('%PDF-') ? 'pdf' : 'text';
}
