import { randomUUID } from 'node:crypto';
import type {
  ChatCompletion,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { AppError } from '../errors';
import { parseCallArguments } from '../message/call.arguments';
import { argumentsIn, entriesIn, labelIn, textsIn } from './assistant.message';
import type { FunctionCall, ToldUsage } from './model.answer';

/**
 * The calls are what counts: some servers finish with `stop` although there are some. Answers and calls are written back
 * under these ids, so that one without gets one.
 */
export function readCompletionCalls(
  completion: ChatCompletion,
): FunctionCall[] {
  const calls = entriesIn(messageOf(completion)?.tool_calls);
  return calls.flatMap((call) => {
    if (call.type === 'custom' || !call.function) return [];
    return {
      callId: labelIn(call.id) ?? `call_${randomUUID()}`,
      name: labelIn(call.function.name) ?? '',
      arguments: argumentsIn(call.function.arguments),
    };
  });
}

/**
 * What the model answered, also where it was cut short; its refusal, if that is all it said.
 * @throws AppError `empty_output`.
 */
export function readCompletionText(completion: ChatCompletion): string {
  const { content, refusal } = messageOf(completion) ?? {};
  const text = textsIn(content).join('') || textsIn(refusal).join('');
  if (text.trim() === '') throw new AppError('empty_output');
  return text;
}

export function readCompletionUsage({ usage }: ChatCompletion): ToldUsage {
  if (!usage) return {};
  return {
    usage: {
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      total_tokens: usage.total_tokens,
    },
  };
}

/** A turn that called tools, and what they gave, as the next turn is told of them. */
export function calledTurn(
  completion: ChatCompletion,
  calls: readonly FunctionCall[],
  outputs: readonly string[],
): ChatCompletionMessageParam[] {
  return [
    {
      role: 'assistant',
      content: textsIn(messageOf(completion)?.content).join('') || null,
      tool_calls: calls.map((call) => ({
        id: call.callId,
        type: 'function',
        function: { name: call.name, arguments: readableArguments(call) },
      })),
    },
    ...calls.map(({ callId }, at) => ({
      role: 'tool' as const,
      tool_call_id: callId,
      content: outputs[at],
    })),
  ];
}

/** Local servers read the arguments of earlier calls again, and refuse a whole conversation for one that is broken. */
function readableArguments({ arguments: args }: FunctionCall): string {
  return args.trim() && parseCallArguments(args) ? args : '{}';
}

/** Undefined where a gateway sent none. */
function messageOf(completion: ChatCompletion) {
  return entriesIn(completion.choices)[0]?.message as
    Partial<ChatCompletion.Choice['message']> | undefined;
}
