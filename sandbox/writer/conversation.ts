import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { isObject } from '../wire/json';

export interface ToolOutput {
  name: string;
  text: string;
}

/** What the latest user message asks, and which tools have answered since. */
export interface Conversation {
  userText: string;
  systemText: string;
  toolOutputs: ToolOutput[];
}

const PROMPT_TOOL_RESULT = /^\s*(tool (execution )?result|\[?tool_result)/i;
const NEXT_RESULT = /\n+(?=tool (?:execution )?result\b)/i;

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) =>
      isObject(part) && typeof part.text === 'string' ? part.text : '',
    )
    .filter((text) => text !== '')
    .join('\n');
}

/** One message may hold the results of several calls. */
function promptResults(message: string): ToolOutput[] {
  return message.split(NEXT_RESULT).map((result) => ({
    name: '',
    text: result.replace(/^[^\n:]*:?\s*/, ''),
  }));
}

/** A model that is given tools by prompt gets their results as user messages; those are outputs, not questions. */
export function readConversation(items: ResponseInputItem[]): Conversation {
  const names = new Map<string, string>();
  const talk: Conversation = { userText: '', systemText: '', toolOutputs: [] };
  for (const item of items) {
    if (item.type === 'function_call') {
      names.set(item.call_id, item.name);
    } else if (item.type === 'function_call_output') {
      talk.toolOutputs.push({
        name: names.get(item.call_id ?? '') ?? '',
        text: textOf(item.output),
      });
    } else if ('role' in item && 'content' in item) {
      const text = textOf(item.content);
      if (item.role === 'system' || item.role === 'developer')
        talk.systemText += `${text}\n`;
      else if (item.role === 'user' && PROMPT_TOOL_RESULT.test(text))
        talk.toolOutputs.push(...promptResults(text));
      else if (item.role === 'user') {
        talk.userText = text;
        talk.toolOutputs = [];
      }
    }
  }
  return talk;
}
