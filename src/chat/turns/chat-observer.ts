import type { LogEvent } from '../../runs/record/run-event';
import type { Turn } from './chat-turn';
import type { CompletedToolCall } from './tool-call';

/** Receives what happens in a chat as it happens, to stream or to store it. */
export interface ChatObserver {
  /** The model requested the calls of a turn, or an agent that is called has answered. No call starts before this resolves. */
  turnTaken(turn: Turn, index: number): Promise<void> | void;
  /** A call is about to start. */
  watch(turn: Turn, index: number, at: number): CallWatcher;
  /** The turn holds the result of a call. */
  result(turn: Turn, index: number, at: number): Promise<void> | void;
}

/** Receives the events of one call, including a call that is repeated after its process ended. */
export interface CallWatcher {
  /** The id of the run to start: a repeated call finds the run of the first attempt. */
  readonly invocationId?: string;
  /** The last event that was reported already. */
  readonly seenSeq?: number;
  started(
    call: Pick<CompletedToolCall, 'arguments' | 'invocation'>,
  ): Promise<void> | void;
  event(invocationId: string, event: LogEvent): Promise<void> | void;
}
