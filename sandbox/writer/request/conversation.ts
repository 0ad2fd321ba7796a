import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { isObject } from '../../wire/json';

export interface ToolOutput {
  name: string;
  text: string;
}

/** The latest user message, and the tool outputs since then. */
export interface Conversation {
  userText: string;
  systemText: string;
  toolOutputs: ToolOutput[];
  /** Another agent handed the question over. */
  handedOver: boolean;
  /** The answer of the user to a clarifying question. */
  clarified?: string;
  /** Turns since then whose calls have been answered. */
  turns: number;
}

/** The function with which a model asks the user. */
export const ASK_USER = 'ask_user';
const PROMPT_TOOL_RESULT = /^\s*(tool (execution )?result|\[?tool_result)/i;
/** The output of a handoff, which names the next agent. An answer cannot be written from it. */
const HANDOFF_RESULT = /^\s*\{\s*"assistant"\s*:\s*"[\w-]+"\s*\}\s*$/;
const RESULT_OF = /^\s*tool result of ([\w-]+):/i;
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

/** One message may contain the results of several calls. */
function promptResults(message: string): ToolOutput[] {
  return message.split(NEXT_RESULT).map((result) => ({
    name: RESULT_OF.exec(result)?.[1] ?? '',
    text: result.replace(/^[^\n:]*:?\s*/, ''),
  }));
}

/** Whether an item is the output of a call. */
function isAnswer(item: ResponseInputItem): boolean {
  if (item.type === 'function_call_output') return true;
  if (!('role' in item) || !('content' in item) || item.role !== 'user')
    return false;
  return PROMPT_TOOL_RESULT.test(textOf(item.content));
}

/** A model with tools in the prompt gets their results as user messages, which count as outputs, not questions. */
export function readConversation(items: ResponseInputItem[]): Conversation {
  const names = new Map<string, string>();
  const talk: Conversation = {
    userText: '',
    systemText: '',
    toolOutputs: [],
    handedOver: false,
    turns: 0,
  };
  const addOutput = (output: ToolOutput) => {
    if (HANDOFF_RESULT.test(output.text)) talk.handedOver = true;
    else if (output.name === ASK_USER) talk.clarified = output.text.trim();
    else talk.toolOutputs.push(output);
  };
  let answering = false;
  for (const item of items) {
    const answers = isAnswer(item);
    if (answers && !answering) talk.turns += 1;
    answering = answers;
    if (item.type === 'function_call') {
      names.set(item.call_id, item.name);
    } else if (item.type === 'function_call_output') {
      addOutput({
        name: names.get(item.call_id ?? '') ?? '',
        text: textOf(item.output),
      });
    } else if ('role' in item && 'content' in item) {
      const text = textOf(item.content);
      if (item.role === 'system' || item.role === 'developer')
        talk.systemText += `${text}\n`;
      else if (item.role === 'user' && PROMPT_TOOL_RESULT.test(text))
        promptResults(text).forEach(addOutput);
      else if (item.role === 'user') {
        talk.userText = text;
        talk.toolOutputs = [];
        talk.handedOver = false;
        talk.clarified = undefined;
        talk.turns = 0;
      }
    }
  }
  return talk;
}
