import { type Format, FORMATS, MEDIA_TYPES } from '../../report/formats';

const MAX_RANGES = 50;

/** The format that an `Accept` header prefers; undefined: it takes none. */
export function preferredFormat(
  header: string | undefined,
): Format | undefined {
  if (!header?.trim()) return FORMATS[0];
  const ranges = header.split(',').slice(0, MAX_RANGES).map(rangeOf);
  const rated = FORMATS.map((format) => ({
    format,
    quality: qualityOf(MEDIA_TYPES[format], ranges),
  }));
  // Of equals the first one stays.
  rated.sort((a, b) => b.quality - a.quality);
  return rated[0].quality > 0 ? rated[0].format : undefined;
}

interface Range {
  type: string;
  quality: number;
}

function rangeOf(text: string): Range {
  const [type, ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((one) => /^q=/i.test(one))?.slice(2) ?? '1';
  const quality = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)
    ? Number(weight)
    : 0;
  return { type: type.toLowerCase(), quality };
}

/** The most specific range decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [group] = type.split('/');
  for (const wanted of [type, `${group}/*`, '*/*']) {
    const range = ranges.find((one) => one.type === wanted);
    if (range) return range.quality;
  }
  return 0;
}
