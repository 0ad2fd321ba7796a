import { parseCallArguments } from '../../platform/message/call-arguments';
import type {
  FunctionPart,
  ImagePart,
  Message,
  ToolCall,
} from '../../platform/message/message';
import type { ToolOutputs, FunctionCall } from './model.types';
import { argumentsIn, labelIn } from '../upstream/reply-fields';

/** The output of a model as an endpoint reports it, in order. */
export interface ModelOutput {
  id?: unknown;
  /** One part each: texts, and images that were generated. */
  parts: readonly (string | ImagePart)[];
  thinking: readonly string[];
  calls: readonly RawCall[];
}

export interface RawCall {
  id?: unknown;
  name: unknown;
  /** JSON according to the specification, but not always. */
  arguments: unknown;
}

/**
 * The message of one assistant turn. A call that cannot be executed, because its arguments are not a JSON object or it has
 * no name, becomes a `function` part with its arguments as written: it is not lost, and later turns see it as text.
 */
export function assistantMessage(output: ModelOutput): Message {
  const calls = output.calls.map(readCall);
  const tool_calls = calls.filter((call) => 'call' in call);
  const thinking = output.thinking.join('\n\n');
  return {
    ...idOf(output.id),
    role: 'assistant',
    contents: [
      ...output.parts.map((part) =>
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

/** The texts of a message joined, its images, and its thinking. */
export function contentOf({ contents, thinking }: Message): {
  text: string;
  images: ImagePart[];
  thinking?: string;
} {
  const texts = contents.map((part) => (part.type === 'text' ? part.text : ''));
  const images = contents.filter((part) => part.type === 'image');
  return { text: texts.join(''), images, thinking };
}

function readCall(raw: RawCall): { call: ToolCall } | { part: FunctionPart } {
  const name = labelIn(raw.name);
  const written = argumentsIn(raw.arguments);
  const args = parseCallArguments(written);
  const call = { type: 'function' as const, ...idOf(raw.id) };
  if (name && args) {
    return { call: { ...call, function: { name, arguments: args } } };
  }
  const { type, ...id } = call;
  const fn = { ...id, name: name ?? '', arguments: written };
  return { part: { type, function: fn } };
}

function idOf(label: unknown): { id?: string } {
  const id = labelIn(label);
  return id === undefined ? {} : { id };
}

/** The results of the calls of a turn, as messages of a conversation. */
export function resultMessages(
  calls: readonly Pick<FunctionCall, 'callId'>[],
  outputs: ToolOutputs['outputs'],
): Message[] {
  return calls.map(({ callId }, at) => ({
    role: 'tool',
    tool_call_id: callId,
    contents: [...outputs[at]],
  }));
}
