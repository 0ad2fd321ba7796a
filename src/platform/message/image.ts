import type { Image } from './message';

const UNNAMED = 'image/png';

/** The URL of an image, or its bytes as a data URL; empty if it has neither. */
export function imageUrl({ url, data, mime_type = UNNAMED }: Image): string {
  return data === undefined ? (url ?? '') : `data:${mime_type};base64,${data}`;
}
