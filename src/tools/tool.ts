import type { z } from 'zod';
import type { ToolDescription } from '../message/tool-description';

/** Which of several waiting invocations is begun first. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What carries the work out: something that takes the id of an accepted invocation and sees to the rest. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Everything a caller of the API may pass. */
  readonly argumentsSchema: z.ZodObject;
  /** What a model is offered: the strict form of the arguments it may choose itself. */
  readonly offered: ToolDescription;
  /** Faults that the schema cannot express, e.g. an argument that no configured model takes. Throws AppError. */
  check?(args: Record<string, unknown>): void;
  /** Hands the invocation to the workers, and answers its queue position. Safe to repeat with the same id. */
  start(invocationId: string, priority: Priority): Promise<number | null>;
  /** The same for one that may have been lost on its way to the workers. */
  revive(invocationId: string, priority: Priority): Promise<void>;
  /** Whether it is on its way to a worker, so that it need not be revived. */
  isUnderWay(invocationId: string): Promise<boolean>;
  /** Somebody waits for it: does now what was put off. Safe to call at any time. */
  hasten(invocationId: string): Promise<void>;
  /** Its place among those that wait to begin, from 1; null if it does not wait. */
  queuePosition(invocationId: string): Promise<number | null>;
}
