import { language } from './language';

/** In US dollars; small amounts keep what tells them from nothing. */
export function money(usd: number): string {
  return new Intl.NumberFormat(language.value, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: usd !== 0 && usd < 0.1 ? 4 : 2,
  }).format(usd);
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
