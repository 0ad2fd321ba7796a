import type { Response } from 'openai/resources/responses/responses';
import { AppError } from '../errors';
import { argumentsIn } from './assistant.message';
import type { FunctionCall } from './model.answer';

/** @throws AppError if the model says itself that it could not finish. */
export function readCalls(response: Response): FunctionCall[] {
  const { status } = response;
  if (status === 'failed') throw new AppError('upstream_failed');
  if (status === 'cancelled') throw new AppError('upstream_cancelled');
  return (response.output ?? []).flatMap((item) => {
    if (item.type !== 'function_call') return [];
    return {
      callId: item.call_id ?? item.id ?? '',
      name: item.name,
      arguments: argumentsIn(item.arguments),
    };
  });
}
