import type { ModelClient } from '../model-client.js';
import type { SondeClient } from '../sonde-client.js';
import type { Direction } from '../types.js';
import type { Flags } from './flags.js';
import type { Interrupt } from './terminal/interrupt.js';
import type { Output } from './terminal/output.js';
import type { Tokens } from './tokens.js';

/**
 * Context of a run. Its functions return an exit code: 0 success, 1 failed or ended early, 5 approval or answer
 * required.
 */
export interface Run {
  flags: Flags;
  prompt: string;
  /** Of the plan that replaces the proposed one. */
  directions?: Direction[];
  output: Output;
  interrupt: Interrupt;
  /** Aborts when `--timeout` has elapsed. */
  signal: AbortSignal;
  /** Time of the abort, in milliseconds since the epoch. */
  endsAt: number;
}

export type WithSonde = Run & { sonde: SondeClient; tokens: Tokens };
export type WithModel = Run & { model: ModelClient };

/** Only `signal` limits a call; its own time limit is the maximum of `--timeout`. */
export const MAX_TIMEOUT = { timeoutMs: 86_400_000 };

/**
 * Seconds that Sonde may delay its reply to a run in the foreground. The unfinished record that it then returns
 * provides the id before `--timeout` elapses, and waiting for that id survives a restart of the service.
 */
export function foregroundWaitSeconds({ timeout }: Flags): number {
  return Math.min(2, Math.floor(Number(timeout) / 2));
}
