import { parseCallArguments } from '../../message/call.arguments';
import type {
  FunctionPart,
  ImagePart,
  Message,
  ToolCall,
} from '../../message/message';
import type { CalledTurn, FunctionCall } from '../model.types';
import { argumentsIn, labelIn } from '../upstream/reply.fields';

/** What an endpoint says that a model said, in the order in which it was said. */
export interface Said {
  id?: unknown;
  /** One part each: texts, and images that were made on the way. */
  parts: readonly (string | ImagePart)[];
  thinking: readonly string[];
  calls: readonly SaidCall[];
}

export interface SaidCall {
  id?: unknown;
  name: unknown;
  /** JSON by the book, but not necessarily. */
  arguments: unknown;
}

/**
 * The turn of an assistant. A call that cannot be made, because its arguments are no JSON object or it has no name, is
 * a `function` part with the arguments as they were written: not lost, not made, and told as a text to whoever reads on.
 */
export function assistantMessage(said: Said): Message {
  const calls = said.calls.map(readCall);
  const tool_calls = calls.filter((call) => 'call' in call);
  const thinking = said.thinking.join('\n\n');
  return {
    ...idOf(said.id),
    role: 'assistant',
    contents: [
      ...said.parts.map((part) =>
        typeof part === 'string' ? { type: 'text' as const, text: part } : part,
      ),
      ...calls.flatMap((call) => ('part' in call ? call.part : [])),
    ],
    ...(thinking && { thinking }),
    ...(tool_calls.length > 0 && {
      tool_calls: tool_calls.map(({ call }) => call),
    }),
  };
}

/** The texts of a message as one, its images, and what was thought. */
export function saidIn({ contents, thinking }: Message): {
  text: string;
  images: ImagePart[];
  thinking?: string;
} {
  const texts = contents.map((part) => (part.type === 'text' ? part.text : ''));
  const images = contents.filter((part) => part.type === 'image');
  return { text: texts.join(''), images, thinking };
}

function readCall(said: SaidCall): { call: ToolCall } | { part: FunctionPart } {
  const name = labelIn(said.name);
  const written = argumentsIn(said.arguments);
  const args = parseCallArguments(written);
  const call = { type: 'function' as const, ...idOf(said.id) };
  if (name && args) {
    return { call: { ...call, function: { name, arguments: args } } };
  }
  const { type, ...id } = call;
  const called = { ...id, name: name ?? '', arguments: written };
  return { part: { type, function: called } };
}

function idOf(label: unknown): { id?: string } {
  const id = labelIn(label);
  return id === undefined ? {} : { id };
}

/** What the calls of a turn gave, as the messages that a history would hold. */
export function resultMessages(
  calls: readonly Pick<FunctionCall, 'callId'>[],
  outputs: CalledTurn['outputs'],
): Message[] {
  return calls.map(({ callId }, at) => ({
    role: 'tool',
    tool_call_id: callId,
    contents: [...outputs[at]],
  }));
}
