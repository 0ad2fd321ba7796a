import type {
  ChatCompletion,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import {
  newCallId,
  parseCallArguments,
} from '../../platform/message/call-arguments';
import { resultMessages, contentOf } from '../turns/assistant-message';
import {
  argumentsIn,
  entriesIn,
  labelIn,
  textsIn,
} from '../upstream/reply-fields';
import {
  fromCompletionMessage,
  toCompletionMessages,
} from './completions-messages';
import {
  type ToolOutputs,
  type FunctionCall,
  joinThinking,
  type ReportedUsage,
} from '../turns/model.types';
import type { TurnText } from '../turns/turn-text';

/**
 * The calls of a reply, whatever its `finish_reason`: some servers finish a turn with calls with `stop`. A call without an
 * id gets one, under which its result is sent back.
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

/** The content of a reply, also if it was cut off. */
export function readCompletion(completion: ChatCompletion) {
  const [choice] = entriesIn(completion.choices);
  return {
    ...contentOf(fromCompletionMessage(messageOf(completion))),
    truncated: choice?.finish_reason === 'length',
    filtered: choice?.finish_reason === 'content_filter',
  };
}

/** A reply with what its text is: thinking and calls are where a model with function calling puts them. */
export function withReadText(
  completion: ChatCompletion,
  turnText: TurnText,
): ChatCompletion {
  const { text, thinking = '' } = readCompletion(completion);
  const read = turnText.end(text);
  if (!read) return completion;
  const [choice, ...choices] = entriesIn(completion.choices);
  const own = messageOf(completion);
  const tool_calls = own.tool_calls?.length
    ? own.tool_calls
    : read.calls.map((call) => ({
        id: newCallId(),
        type: 'function' as const,
        function: { name: call.name, arguments: call.arguments },
      }));
  const message = {
    ...own,
    role: 'assistant' as const,
    content: read.text,
    refusal: null,
    reasoning: joinThinking(thinking, read.thinking),
    reasoning_content: undefined,
    tool_calls,
  };
  const finish_reason = read.cut ? 'length' : choice?.finish_reason;
  const first = { ...choice, finish_reason, message };
  return { ...completion, choices: [first, ...choices] };
}

export function readCompletionUsage({ usage }: ChatCompletion): ReportedUsage {
  if (!usage) return {};
  return {
    usage: {
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      total_tokens: usage.total_tokens,
    },
  };
}

/** The messages of a turn that called tools, with their results, as input of the next turn. */
export function calledTurn(
  completion: ChatCompletion,
  calls: readonly FunctionCall[],
  outputs: ToolOutputs['outputs'],
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

/**
 * The arguments of an earlier call, replaced by `{}` if they are not valid JSON: local servers parse them again and refuse
 * the whole conversation.
 */
export function readableArguments({
  arguments: args,
}: Pick<FunctionCall, 'arguments'>): string {
  return args.trim() && parseCallArguments(args) ? args : '{}';
}

/** An empty message if the gateway sent none. */
function messageOf({
  choices,
}: ChatCompletion): Partial<ChatCompletion.Choice['message']> {
  return entriesIn(choices)[0]?.message ?? {};
}
