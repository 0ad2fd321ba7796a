import type {
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseOutputMessage,
} from 'openai/resources/responses/responses';
import { writeAnswer } from './text/answer';
import type { Ask } from './request/ask';
import { isResearchModel } from './request/ask';
import { asksForReport, readBrief } from './request/brief';
import { annotationsOf } from './text/citations';
import type { Conversation } from './request/conversation';
import { readConversation } from './request/conversation';
import { hostedTurn } from './hosted/hosted.turn';
import { decideCalls } from './function-calls/decide';
import { newCallId, newId } from '../wire/ids';
import { writeInstance } from './text/json-report';
import { languageOf } from '../corpus/language';
import { roleAnswer } from '../plain/roles';
import { promptedCall } from './function-calls/prompt-tools';
import { research } from './research';
import type { SteeredCall } from './function-calls/steering';
import { steeredText } from './function-calls/steering';

/** The output items of one response, in their final form. */
export function compose(ask: Ask): ResponseOutputItem[] {
  const talk = readConversation(ask.items);
  const filled = roleAnswer(ask, talk);
  if (filled !== undefined) return [message(filled)];
  const calls = decideCalls(ask, talk);
  if (calls.length > 0) return calls.map(functionCall);
  const steered = isResearchModel(ask.model)
    ? undefined
    : steeredText(talk.userText);
  if (steered !== undefined)
    return [message(promptedCall(ask, talk) ?? steered)];
  if (reports(ask, talk)) {
    const { before, text } = research(ask, talk);
    return [...before, message(text)];
  }
  const hosted = hostedTurn(ask, talk);
  if (hosted) {
    const { before, text } = hosted;
    return text === null ? before : [...before, message(text)];
  }
  return [message(promptedCall(ask, talk) ?? turnText(ask, talk))];
}

const reports = (ask: Ask, talk: Conversation) =>
  isResearchModel(ask.model) ||
  (ask.functions.length === 0 &&
    (ask.hosted.some((kind) => kind !== 'image_generation') ||
      asksForReport(talk.userText)));

function turnText(ask: Ask, talk: Conversation): string {
  const answer = writeAnswer(talk);
  const language = languageOf(talk.userText);
  switch (ask.format.type) {
    case 'json_schema': {
      const title = readBrief(talk.userText).question;
      return writeInstance(ask.format, answer, [title], language);
    }
    case 'json_object':
      return JSON.stringify({ answer });
    default:
      return answer;
  }
}

const functionCall = (call: SteeredCall): ResponseFunctionToolCall => ({
  id: newId('fc'),
  type: 'function_call',
  call_id: newCallId(),
  name: call.name,
  arguments: call.arguments,
  status: 'completed',
});

export const message = (text: string): ResponseOutputMessage => ({
  id: newId('msg'),
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [
    {
      type: 'output_text',
      text,
      annotations: annotationsOf(text),
      logprobs: [],
    },
  ],
});
