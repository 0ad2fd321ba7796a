import { AppError } from '../../errors';
import { notFound } from '../run-id';

/** A run that no worker holds until a human has decided: then any worker goes on with it. */
export class Suspension {
  /**
   * @param keys of the decisions that are awaited, each once. Where all of them were made before, it goes on at once.
   * @param data of the event that says so, for whoever follows: JSON.
   * @param fields of the record that are to be written with it.
   */
  constructor(
    readonly keys: readonly string[],
    readonly data: object,
    readonly fields: Record<string, string> = {},
  ) {}
}

/** `ok`: it waits. `queued`: nothing is left to wait for, so a worker is to go on with it. `cancelled`: it has ended. `deleted`: it
 * is to end, once what is kept on its account is gone. */
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
