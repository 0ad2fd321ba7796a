import type { Turn } from './chat.turn';
import type { CallWatcher } from '../tools/tool-call.invoker';

/** Who is told of a chat while it happens, and perhaps keeps it. */
export interface ChatObserver {
  /** A turn asked for calls. None of them is made before this resolves. */
  asked(turn: Turn, index: number): Promise<void> | void;
  /** A call is about to be made. */
  watch(turn: Turn, index: number, at: number): CallWatcher;
  /** What came of a call is in the turn. */
  result(turn: Turn, index: number, at: number): Promise<void> | void;
}
