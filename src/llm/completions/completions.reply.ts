import type {
  ChatCompletion,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { newCallId, parseCallArguments } from '../../message/call.arguments';
import { resultMessages, saidIn } from '../turns/assistant.message';
import {
  argumentsIn,
  entriesIn,
  labelIn,
  textsIn,
} from '../upstream/reply.fields';
import {
  fromCompletionMessage,
  toCompletionMessages,
} from './completions.messages';
import type { CalledTurn, FunctionCall, ToldUsage } from '../model.types';

/**
 * The calls are what counts: some servers finish with `stop` although there are some. Answers and calls are written back
 * under these ids, so that one without gets one.
 */
export function readCompletionCalls(
  completion: ChatCompletion,
): FunctionCall[] {
  const calls = entriesIn(messageOf(completion).tool_calls);
  return calls.flatMap((call) => {
    if (call.type === 'custom' || !call.function) return [];
    return {
      callId: labelIn(call.id) ?? newCallId(),
      name: labelIn(call.function.name) ?? '',
      arguments: argumentsIn(call.function.arguments),
    };
  });
}

/** What the model said and thought, also where it was cut short. */
export function readCompletion(completion: ChatCompletion) {
  return saidIn(fromCompletionMessage(messageOf(completion)));
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
  outputs: CalledTurn['outputs'],
): ChatCompletionMessageParam[] {
  return [
    {
      role: 'assistant',
      content: textsIn(messageOf(completion).content).join('') || null,
      tool_calls: calls.map((call) => ({
        id: call.callId,
        type: 'function',
        function: { name: call.name, arguments: readableArguments(call) },
      })),
    },
    ...toCompletionMessages(resultMessages(calls, outputs)),
  ];
}

/** Local servers read the arguments of earlier calls again, and refuse a whole conversation for one that is broken. */
export function readableArguments({
  arguments: args,
}: Pick<FunctionCall, 'arguments'>): string {
  return args.trim() && parseCallArguments(args) ? args : '{}';
}

/** Empty where a gateway sent none. */
function messageOf({
  choices,
}: ChatCompletion): Partial<ChatCompletion.Choice['message']> {
  return entriesIn(choices)[0]?.message ?? {};
}
