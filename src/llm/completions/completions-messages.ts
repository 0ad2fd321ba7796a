import type {
  ChatCompletionContentPart,
  ChatCompletionFunctionTool,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionUserMessageParam,
} from 'openai/resources/chat/completions';
import { imageUrl } from '../../platform/message/image';
import type {
  ImagePart,
  Message,
  Part,
  ToolCall,
} from '../../platform/message/message';
import { textOf } from '../../platform/message/part-text';
import type { ToolDescription } from '../../platform/message/tool-description';
import { assistantMessage } from '../turns/assistant-message';
import { entriesIn, textsIn } from '../upstream/reply-fields';

/**
 * A conversation for Chat Completions, without the reasoning of the model: it must not be sent as if it were text. A tool
 * message cannot contain images, so they follow in a user message that names the call. That message comes after all results
 * of the turn, because nothing may stand between a call and the results of its turn.
 */
export function toCompletionMessages(
  messages: readonly Message[],
): ChatCompletionMessageParam[] {
  const params: ChatCompletionMessageParam[] = [];
  let images: ChatCompletionContentPart[] = [];
  for (const message of messages) {
    if (message.role !== 'tool' && images.length > 0) {
      params.push({ role: 'user', content: images });
      images = [];
    }
    params.push(paramOf(message));
    if (message.role === 'tool') images.push(...imagesOfTool(message));
  }
  if (images.length > 0) params.push({ role: 'user', content: images });
  return params;
}

export function toCompletionTools(
  tools: readonly ToolDescription[],
): ChatCompletionFunctionTool[] {
  return tools.map(({ name, description, parameters, strict = true }) => ({
    type: 'function',
    function: { name, description, parameters, strict },
  }));
}

/** The message of a model; `reasoning_content` or `reasoning`, as gateways call it, becomes its thinking. Never throws. */
export function fromCompletionMessage(
  message: Partial<ChatCompletionMessage>,
): Message {
  const { content, refusal, tool_calls } = message;
  return assistantMessage({
    parts: [textsIn(content).join(''), ...textsIn(refusal)].filter(Boolean),
    thinking: reasoningIn(message),
    calls: entriesIn(tool_calls).flatMap((call) =>
      call.type === 'custom' || !call.function
        ? []
        : { id: call.id, ...call.function },
    ),
  });
}

/** The reasoning is in fields without a standard. Some gateways fill both with the same text. */
export function reasoningIn(message: object): string[] {
  const { reasoning_content, reasoning } = message as Record<string, unknown>;
  const [thought] = [reasoning_content, reasoning].filter(
    (words) => typeof words === 'string' && words !== '',
  );
  return textsIn(thought);
}

function paramOf(message: Message): ChatCompletionMessageParam {
  const { role, contents, tool_calls } = message;
  switch (role) {
    case 'system':
      return { role, content: textOf(contents) };
    case 'user':
      return { role, content: withImages(contents) };
    case 'assistant':
      return {
        role,
        content: textOf(contents) || (tool_calls?.length ? null : ''),
        ...(tool_calls?.length && { tool_calls: tool_calls.map(callParam) }),
      };
    case 'tool': {
      const note = contents.some(isImage)
        ? [{ type: 'text' as const, text: 'Its images follow the results.' }]
        : [];
      return {
        role,
        tool_call_id: message.tool_call_id ?? '',
        content: textOf([...contents, ...note]),
      };
    }
  }
}

function callParam({
  id = '',
  type,
  function: fn,
}: ToolCall): ChatCompletionMessageFunctionToolCall {
  const args = JSON.stringify(fn.arguments);
  return { id, type, function: { name: fn.name, arguments: args } };
}

function withImages(
  parts: readonly Part[],
): ChatCompletionUserMessageParam['content'] {
  if (!parts.some(isImage)) return textOf(parts);
  return parts.map((part) =>
    isImage(part)
      ? imageParam(part)
      : { type: 'text' as const, text: textOf([part]) },
  );
}

function imagesOfTool({
  contents,
  tool_call_id = '',
}: Message): ChatCompletionContentPart[] {
  const images = contents.filter(isImage);
  if (images.length === 0) return [];
  const text = `Not from the user: images in the result of the tool call ${tool_call_id}.`;
  return [{ type: 'text', text }, ...images.map(imageParam)];
}

function imageParam({ image }: ImagePart): ChatCompletionContentPart {
  return { type: 'image_url', image_url: { url: imageUrl(image) } };
}

function isImage(part: Part): part is ImagePart {
  return part.type === 'image';
}
