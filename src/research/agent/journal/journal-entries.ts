import { createHash } from 'node:crypto';
import type { CostSource } from '../../../runs/record/run';
import type { Spent } from './journal';

/** What the journal holds of a step that is not done again. */
export type Settled =
  | {
      input: string;
      /** The attempt that gave it; 0: a local step, or a decision. */
      attempt: number;
      value?: unknown;
      spent?: Partial<Spent>;
      cost_source?: CostSource;
      estimated_usd?: number;
      decided?: boolean;
    }
  | { input: string; skipped: string; context_tokens?: number };

/** An attempt at a step, on record before its effect begins. Without an outcome its worker disappeared. */
export interface Attempt {
  input: string;
  /** A code. */
  failed?: string;
  /** It failed, but may have had its effect. */
  unknown?: boolean;
  /** Only the form of its request was refused. */
  form?: boolean;
  /** It was refused for now: the next one may have its number. */
  refused?: boolean;
}

/** Everything that is on record of one step. */
export interface StepRecord {
  settled?: Settled;
  /** By number. */
  attempts: Map<number, Attempt>;
}

/** The input of a decision. */
export const DECISION = 'decision';
const MAX_KEY = 200;
const ATTEMPT = /^(.+)#(\d+)$/s;

/** @throws Error for a key that could be that of an attempt. */
export function checkKey(key: string): void {
  if (key === '' || key.length > MAX_KEY || key.includes('#'))
    throw new Error(`Not a key of a step: "${key}"`);
}

export function attemptField(key: string, attempt: number): string {
  return `${key}#${attempt}`;
}

/** The key of the step whose attempt this field is; undefined for another field. */
export function stepOfAttempt(field: string): string | undefined {
  return ATTEMPT.exec(field)?.[1];
}

/** Adds an entry of the journal to the records of its steps. */
export function readEntry(
  steps: Map<string, StepRecord>,
  field: string,
  json: string,
): void {
  const [, key = field, attempt] = ATTEMPT.exec(field) ?? [];
  const step = steps.get(key) ?? { attempts: new Map<number, Attempt>() };
  steps.set(key, step);
  if (attempt === undefined) step.settled = JSON.parse(json) as Settled;
  else step.attempts.set(Number(attempt), JSON.parse(json) as Attempt);
}

/** The attempts whose effect may have happened though the step has no result of them. */
export function ambiguousIn({ settled, attempts }: StepRecord): number[] {
  const won = settled && 'attempt' in settled ? settled.attempt : undefined;
  return [...attempts]
    .filter(([n, { failed, unknown }]) => n !== won && (!failed || unknown))
    .map(([n]) => n);
}

/** A value as JSON gives it back, so that the first execution and every later one see the same. */
export function asJson<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

/** Equal for inputs that are equal as JSON, whatever the order of their fields. */
export function hashOf(input: unknown): string {
  const text = JSON.stringify(asJson(input), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value,
  );
  return createHash('sha256')
    .update(text ?? '')
    .digest('base64url')
    .slice(0, 22);
}
