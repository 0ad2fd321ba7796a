import type { Format } from '../../report/formats';

const MAX_NAME = 80;

/** `Content-Disposition` with the title as the name of the file, and a plain name for clients that know no other. */
export function attachment(title: string, id: string, format: Format): string {
  const plain = `report-${id.slice(-8)}.${format}`;
  const name = fileName(title);
  if (!name) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(`${name}.${format}`).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Without what any system reads as a path, a device, a wildcard or a hidden file. */
function fileName(title: string): string {
  const bare = title
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|%]/gu, ' ')
    .replace(/\s+/g, ' ');
  return Array.from(bare)
    .slice(0, MAX_NAME)
    .join('')
    .replace(/^[\s.~-]+|[\s.]+$/g, '');
}
