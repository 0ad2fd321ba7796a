import type { Image } from './message';

const UNNAMED = 'image/png';

/** The URL of an image, or its bytes as a data URL; empty if it has neither. */
export function imageUrl({ url, data, mime_type = UNNAMED }: Image): string {
  return data === undefined ? (url ?? '') : `data:${mime_type};base64,${data}`;
}

/** The bytes of an image in Base64, from its data URL too; null if they would have to be fetched. */
export function imageBytes(
  image: Image,
): { data: string; mime_type: string } | null {
  const { url = '', data, mime_type = UNNAMED } = image;
  if (data !== undefined) return { data, mime_type };
  const comma = url.indexOf(',');
  const header = url.slice(0, Math.max(comma, 0));
  if (!/^data:image\/[^;]+(;.*)?;base64$/.test(header)) return null;
  return {
    data: url.slice(comma + 1),
    mime_type: header.slice('data:'.length, header.indexOf(';')),
  };
}
