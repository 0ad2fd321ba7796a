import { AppError } from '../../platform/errors';
import { notFound } from './run-id';
import type { FieldsOf } from './run-fields';

/** A run that no worker holds until decisions are made; then any worker continues it. */
export class Suspension {
  /**
   * @param keys of the awaited decisions, each once. If all of them are made already, it continues at once.
   * @param data of its event, as JSON.
   * @param fields of the record that are to be written with it.
   */
  constructor(
    readonly keys: readonly string[],
    readonly data: object,
    readonly fields: FieldsOf<string> = {},
  ) {}
}

/** `ok`: it is suspended. `queued`: every decision is made, so a worker is to continue it. `cancelled`: it has ended. `deleted`: it
 * is to end, once its attachments are removed. */
export type SuspendOutcome =
  | 'ok'
  | 'queued'
  | 'cancelled'
  | 'deleted'
  | 'fenced'
  | 'held'
  | 'final'
  | 'missing';

/** Nothing is changed unless it is `ok`; `left`: how many decisions are awaited still. `key`: the first that is at fault. */
export type DecideOutcome =
  | { kind: 'ok'; left: number }
  | { kind: 'unknown' | 'conflict'; key: string }
  | { kind: 'not_waiting' | 'final' | 'missing' | 'too_new' };

/** Why a decision was not taken. `path`: of the decisions in the request. */
export function decisionRefused(
  outcome: Exclude<DecideOutcome, { kind: 'ok' }>,
  id: string,
  path: string,
): AppError {
  switch (outcome.kind) {
    case 'missing':
      return notFound(id);
    case 'too_new':
      return new AppError('record_too_new');
    case 'not_waiting':
    case 'final':
      return new AppError('not_waiting');
    case 'conflict':
      return new AppError('decision_conflict');
    case 'unknown': {
      const message = 'is not awaited';
      const errors = [{ path: `${path}.${outcome.key}`, message }];
      return new AppError('validation_failed', undefined, { errors });
    }
  }
}
