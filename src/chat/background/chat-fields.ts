import type { FieldsOf, RunField } from '../../runs/record/run-fields';

/** The fields of a record that are chat's own. Each is written once, so that the whole is never rewritten. */
export type ChatField =
  /** JSON: a turn without the results of its calls. */
  | TurnField
  /** JSON: the result of one call of a turn. */
  | ResultField
  /** The event that reports the start of a call is written. */
  | BegunField
  /** The last event of the call's run that is in the log of the chat. */
  | SeenField
  /** JSON: names of tools that are excluded from the chat. */
  | 'without';

export type TurnField = `turn:${number}`;
export type ResultField = `result:${number}:${number}`;
type BegunField = `begun:${number}:${number}`;
type SeenField = `seen:${number}:${number}`;

export type ChatFields = FieldsOf<ChatField | RunField>;

export const turnField = (turn: number): TurnField => `turn:${turn}`;
export const resultField = (turn: number, call: number): ResultField =>
  `result:${turn}:${call}`;
export const begunField = (turn: number, call: number): BegunField =>
  `begun:${turn}:${call}`;
export const seenField = (turn: number, call: number): SeenField =>
  `seen:${turn}:${call}`;
