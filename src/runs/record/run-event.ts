import type { Status } from './run';
import type { ProgressData } from './progress';

/** What happened, as the event log keeps it. `status`, `requires_action` and the last event are written by the record itself. */
export type RunEvent =
  | { type: 'progress'; data: ProgressData }
  | { type: 'output_text'; data: { text: string } }
  // A chat has its own, see the room of chats.
  | { type: ChatEventType; data: unknown };

/** The types of events that only a chat has. */
export type ChatEventType =
  'delta' | 'tool_call' | 'tool_progress' | 'tool_result' | 'handoff';

/** One entry of an event log. `seq` starts at 1 and has no gaps; it is the cursor of the event stream. */
export interface LogEvent {
  seq: number;
  type:
    | 'status'
    | 'progress'
    | 'output_text'
    | ChatEventType
    | 'requires_action'
    | 'completed'
    | 'error';
  status: Status;
  /** JSON. */
  data: string;
}

export function endsLog(event: LogEvent): boolean {
  return event.type === 'completed' || event.type === 'error';
}

/** Whether its run has got further. That it waits may be reported by each of its workers. */
export function isProgress({ type, data }: RunEvent): boolean {
  return type !== 'progress' || data.kind !== 'waiting';
}
