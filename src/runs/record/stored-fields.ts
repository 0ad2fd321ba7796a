import { ERRORS, isErrorCode } from '../../platform/errors';
import type { FieldsOf } from './run-fields';

/** What a record holds, read so that a field of another version, or one that is damaged, is at worst missing. */
export type StoredFields = FieldsOf<string>;

export interface StoredError {
  /** Of ERRORS, or of a newer version of the service. */
  code: string;
  message: string;
  retryable: boolean;
}

export function storedList<T>(json: string | undefined): T[] | null {
  const value = parse(json);
  return Array.isArray(value) ? (value as T[]) : null;
}

export function storedObject<T extends object>(
  json: string | undefined,
): T | null {
  const value = parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as T)
    : null;
}

/** What a clock can say: more than that is no time. */
const LATEST_MS = 8_640_000_000_000_000;

export function storedTime(value: string | undefined): number | null {
  const ms = value ? Number(value) : Number.NaN;
  return Math.abs(ms) <= LATEST_MS ? ms : null;
}

export function storedNumber(value: string | undefined): number {
  const number = Number(value || 0);
  return Number.isFinite(number) ? number : 0;
}

export function storedFlag(value: string | undefined): boolean | null {
  return value ? value === '1' : null;
}

export function storedUrl(value: string | undefined): string | undefined {
  return value && URL.canParse(value) ? value : undefined;
}

export function storedError({
  error_code: code,
  error_message: message,
}: StoredFields): StoredError | null {
  if (!code) return null;
  const [, retryable, title] = isErrorCode(code)
    ? ERRORS[code]
    : ([
        0,
        false,
        'It ended with an error that this version does not know',
      ] as const);
  return { code, message: message || `${title}.`, retryable };
}

function parse(json: string | undefined): unknown {
  if (!json) return null;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}
