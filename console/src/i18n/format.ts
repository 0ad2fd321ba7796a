import { language } from './language';

/** In US dollars; small amounts keep what tells them from nothing. */
export function money(usd: number): string {
  return dollars(usd).format(usd);
}

export function moneyRange(low: number, high: number): string {
  return dollars(high).formatRange(low, high);
}

function dollars(largest: number): Intl.NumberFormat {
  return new Intl.NumberFormat(language.value, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: largest !== 0 && largest < 0.1 ? 4 : 2,
  });
}

/** `20–50 sec` or `2–18 min`. */
export function timeRange(lowSeconds: number, highSeconds: number): string {
  const [unit, size] = highSeconds < 120 ? ['second', 1] : ['minute', 60];
  const format = new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit: unit as string,
  });
  const whole = (seconds: number): number =>
    Math.max(1, Math.round(seconds / (size as number)));
  return format.formatRange(whole(lowSeconds), whole(highSeconds));
}

export function count(value: number): string {
  return new Intl.NumberFormat(language.value).format(value);
}

export function compact(value: number): string {
  return new Intl.NumberFormat(language.value, {
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(value);
}

/** `4:12` or `1:04:12`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number): string => String(n).padStart(2, '0');
  const [h, m, s] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export function dateTime(iso: string): string {
  return new Intl.DateTimeFormat(language.value, {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(iso));
}

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `3 minutes ago`. */
export function ago(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(language.value, {
    numeric: 'auto',
  });
  const [unit, size] =
    UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  return unit === undefined || size === undefined
    ? format.format(0, 'second')
    : format.format(Math.round(seconds / size), unit);
}

/** `12 kB`. */
export function fileSize(bytes: number): string {
  const format = new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit: 'kilobyte',
  });
  return format.format(Math.ceil(bytes / 1_000));
}
