import { parseCallArguments } from './call-arguments';
import {
  inOrder,
  type MessageDelta,
  type PartDelta,
  type ToolCallDelta,
} from './delta';
import type { Message, Part, ToolCall } from './message';

/** Names the faulty field, never its content. */
export class IncompleteMessage extends Error {
  override readonly name = 'IncompleteMessage';

  constructor(fault: string) {
    super(`The message is incomplete: ${fault}.`);
  }
}

/**
 * The message that the deltas of a stream add up to. It does not check that the stream reached its end.
 * @throws IncompleteMessage
 */
export function finish(delta: MessageDelta): Message {
  const { role, contents: _, tool_calls, ...labels } = delta;
  if (role === undefined) throw new IncompleteMessage('it has no role');
  if (role === 'tool' && labels.tool_call_id === undefined) {
    throw new IncompleteMessage('it does not say which call it answers');
  }
  const ordered = inOrder(delta);
  return {
    ...labels,
    role,
    contents: ordered.contents.map(finishPart),
    ...(tool_calls && { tool_calls: ordered.tool_calls.map(finishCall) }),
  };
}

const KINDS = ['text', 'image', 'function', 'value'] as const;

function finishPart(part: PartDelta): Part {
  const { index, type } = part;
  const at = `contents.${index}`;
  if (type === undefined) throw new IncompleteMessage(`${at} has no type`);
  const others = KINDS.filter((kind) => kind !== type);
  if (others.some((kind) => part[kind] !== undefined)) {
    throw new IncompleteMessage(`${at} is of several types`);
  }
  if (part[type] === undefined) {
    throw new IncompleteMessage(`${at} is a ${type} that never began`);
  }
  if (type === 'text') return { type, text: part.text! };
  if (type === 'value') return { type, value: part.value };
  if (type === 'image') {
    const image = part.image!;
    if (image.url !== undefined || image.data !== undefined) {
      return { type, image };
    }
    throw new IncompleteMessage(`${at} is an image without url or data`);
  }
  const { id, name, arguments: args = '' } = part.function!;
  if (!name) throw new IncompleteMessage(`${at} is a call without a name`);
  return {
    type,
    function: { ...(id !== undefined && { id }), name, arguments: args },
  };
}

function finishCall({ index, id, function: called }: ToolCallDelta): ToolCall {
  const at = `tool_calls.${index}`;
  const name = called?.name;
  if (!name) throw new IncompleteMessage(`${at} has no name`);
  const args = parseCallArguments(called.arguments ?? '');
  if (!args) {
    throw new IncompleteMessage(`${at} has arguments that are no JSON object`);
  }
  return {
    type: 'function',
    ...(id !== undefined && { id }),
    function: { name, arguments: args },
  };
}
