import type {
  FunctionTool,
  ResponseInputContent,
  ResponseInputItem,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import { imageUrl } from '../../platform/message/image';
import type { Message, Part } from '../../platform/message/message';
import { textOf } from '../../platform/message/part-text';
import type { ToolDescription } from '../../platform/message/tool-description';

/** An item with its type: the API has a default for messages, but some servers refuse an item without one. */
export type InputItem = ResponseInputItem & {
  type: NonNullable<ResponseInputItem['type']>;
};

/** A conversation as input items, without the reasoning of the model: it must not be sent as if it were text. */
export function toInputItems(messages: readonly Message[]): InputItem[] {
  return messages.flatMap(itemsOf);
}

/** An item of a response, to be sent back with the next turn. */
export function sentBack(item: ResponseOutputItem): InputItem {
  return { ...item, type: item.type ?? 'message' } as InputItem;
}

export function toFunctionTools(
  tools: readonly ToolDescription[],
): FunctionTool[] {
  return tools.map(toFunctionTool);
}

const functionTools = new WeakMap<ToolDescription, FunctionTool>();

/** Created once for each description, so that its JSON text is, too: see `requestText`. */
function toFunctionTool(tool: ToolDescription): FunctionTool {
  const known = functionTools.get(tool);
  if (known) return known;
  const { name, description, parameters, strict = true } = tool;
  const made: FunctionTool = {
    type: 'function',
    name,
    description,
    parameters,
    strict,
  };
  functionTools.set(tool, made);
  return made;
}

function itemsOf(message: Message): InputItem[] {
  const { role, contents } = message;
  if (role === 'tool') {
    const call_id = message.tool_call_id ?? '';
    return [
      { type: 'function_call_output', call_id, output: withImages(contents) },
    ];
  }
  const items: InputItem[] = [];
  if (contents.length > 0) {
    // Only users and tools can send images.
    const content = role === 'user' ? withImages(contents) : textOf(contents);
    items.push({ type: 'message', role, content });
  }
  for (const { id = '', function: called } of message.tool_calls ?? []) {
    items.push({
      type: 'function_call',
      call_id: id,
      name: called.name,
      arguments: JSON.stringify(called.arguments),
    });
  }
  return items;
}

function withImages(
  parts: readonly Part[],
): string | (ResponseInputContent & { type: 'input_text' | 'input_image' })[] {
  if (!parts.some(({ type }) => type === 'image')) return textOf(parts);
  return parts.map((part) =>
    part.type === 'image'
      ? {
          type: 'input_image' as const,
          image_url: imageUrl(part.image),
          detail: 'auto' as const,
        }
      : { type: 'input_text' as const, text: textOf([part]) },
  );
}
