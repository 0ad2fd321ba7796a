export const FORMATS = ['md', 'html', 'docx', 'pdf', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** Without parameters, as `Accept` names them. */
export const MEDIA_TYPES: Record<Format, string> = {
  md: 'text/markdown',
  html: 'text/html',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
  json: 'application/json',
};

const TEXTS: readonly Format[] = ['md', 'html', 'json'];

export function contentType(format: Format): string {
  const charset = TEXTS.includes(format) ? '; charset=utf-8' : '';
  return `${MEDIA_TYPES[format]}${charset}`;
}
