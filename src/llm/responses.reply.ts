import type {
  Response,
  ResponseOutputMessage,
} from 'openai/resources/responses/responses';
import { AppError } from '../errors';
import type { FunctionCall } from './model.answer';

/** @throws AppError if the model says itself that it could not finish. */
export function readCalls(response: Response): FunctionCall[] {
  const { status } = response;
  if (status === 'failed') throw new AppError('upstream_failed');
  if (status === 'cancelled') throw new AppError('upstream_cancelled');
  return (response.output ?? []).flatMap((item) => {
    if (item.type !== 'function_call') return [];
    const args: unknown = item.arguments;
    return {
      callId: item.call_id ?? item.id ?? '',
      name: item.name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
    };
  });
}

/**
 * What the model answered; its refusal, if that is all it said.
 * @throws AppError `empty_output`.
 */
export function readText(response: Response): string {
  const messages = (response.output ?? []).filter(
    (item) => item.type === 'message',
  );
  const answers = messages.filter(({ phase }) => phase !== 'commentary');
  const said = answers.length > 0 ? answers : messages;
  const text = join(said, 'text') || join(said, 'refusal');
  if (text.trim() === '') throw new AppError('empty_output');
  return text;
}

/** Gateways name the type of a part in their own ways; what a part holds is what counts. */
function join(
  messages: ResponseOutputMessage[],
  field: 'text' | 'refusal',
): string {
  return messages
    .flatMap(({ content }) => content ?? [])
    .map((part) => (part as { text?: string; refusal?: string })[field] ?? '')
    .join('');
}
