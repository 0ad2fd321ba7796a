import type { ModelClient } from '../model-client.js';
import type { SondeClient } from '../sonde-client.js';
import type { Flags } from './flags.js';
import type { Interrupt } from './interrupt.js';
import type { Output } from './output.js';
import type { Tokens } from './tokens.js';

/** What a run works with. Each returns its exit code: 0 whole, 1 failed or ended early, 5 waits for a human. */
export interface Run {
  flags: Flags;
  prompt: string;
  output: Output;
  interrupt: Interrupt;
  /** Aborts when `--timeout` has passed. */
  signal: AbortSignal;
  /** When that is. */
  endsAt: number;
}

export type WithSonde = Run & { sonde: SondeClient; tokens: Tokens };
export type WithModel = Run & { model: ModelClient };

/** `signal` alone ends a call; that of its own is no shorter than any `--timeout`. */
export const ANY_TIME = { timeoutMs: 86_400_000 };

/**
 * How many seconds Sonde is to hold the reply to a run in the foreground. The unfinished record that comes then says how
 * to find what goes on, before `--timeout` passes; and a wait for that outlives a restart of the service.
 */
export function heldSeconds({ timeout }: Flags): number {
  return Math.min(2, Math.floor(Number(timeout) / 2));
}
