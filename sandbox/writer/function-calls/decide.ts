import type { FunctionTool } from 'openai/resources/responses/responses';
import type { Ask } from '../request/ask';
import type { Conversation } from '../request/conversation';
import { agentsChoice, isHandoff } from './decide-agent';
import { readBrief } from '../request/brief';
import { clockCall } from './decide-clock';
import { clarifyingQuestion, wantsResearch } from './decide-research';
import { instanceOf } from './schema-instance';
import type { SteeredCall } from './steering';
import { asksToLoop, laterCalls, steeredCalls } from './steering';

const RESEARCH_TOOL = 'deep_research';
const QUESTION_PROPERTY =
  /^(research_question|question|query|topic|prompt|message|input|text)$/;
const LIST_LINE = /^\s*-\s+(.+?)\s*$/;

/** The function calls of this turn; none means that it answers. */
export function decideCalls(ask: Ask, talk: Conversation): SteeredCall[] {
  if (ask.choice === 'none' || ask.functions.length === 0) return [];
  const calls = wantedCalls(ask, talk);
  return ask.parallel ? calls : calls.slice(0, 1);
}

function wantedCalls(ask: Ask, talk: Conversation): SteeredCall[] {
  const searchText =
    talk.clarified ?? (readBrief(talk.userText).searchText || talk.userText);
  const answered = talk.toolOutputs.length > 0;
  const research = ask.functions.find((tool) => tool.name === RESEARCH_TOOL);
  const call = (tool: FunctionTool, question = searchText): SteeredCall => ({
    name: tool.name,
    arguments: argumentsFor(tool, question),
  });

  if (research && asksToLoop(talk.userText)) return [call(research)];
  const begun = answered || talk.handedOver || talk.clarified !== undefined;
  const steered = begun
    ? laterCalls(talk.userText, talk.turns)
    : steeredCalls(talk.userText);
  if (steered.length > 0) return steered;
  if (typeof ask.choice === 'object') {
    const { name } = ask.choice;
    return ask.functions
      .filter((tool) => tool.name === name)
      .map((t) => call(t));
  }
  if (ask.choice === 'required') return [call(research ?? ask.functions[0])];
  const timed = clockCall(ask.functions, searchText, talk, argumentsFor);
  if (timed) return [timed];
  if (answered) return [];
  const instructions = `${ask.instructions}\n${talk.systemText}`;
  const chosen = agentsChoice(ask.functions, instructions, searchText, talk);
  if (chosen) return [call(chosen)];
  const question = clarifyingQuestion(ask.functions, searchText, talk);
  if (question) return [question];
  if (research && (talk.clarified !== undefined || wantsResearch(searchText)))
    return questionsIn(searchText).map((question) => call(research, question));
  const named = ask.functions.filter(
    (tool) =>
      searchText.includes(tool.name) && !(talk.handedOver && isHandoff(tool)),
  );
  return named.map((tool) => call(tool));
}

/**
 * Several questions are a list of two or more lines at the end of the message; a list before the question is its
 * context.
 */
export function questionsIn(text: string): string[] {
  const listed: string[] = [];
  for (const line of text.trim().split('\n').reverse()) {
    const item = LIST_LINE.exec(line)?.[1];
    if (item === undefined) break;
    listed.unshift(item);
  }
  return listed.length >= 2 ? listed : [text];
}

/** Arguments by the schema of the tool: the question where it belongs, null or nothing wherever allowed. */
export function argumentsFor(tool: FunctionTool, question: string): string {
  const schema = tool.parameters ?? {};
  const text = (property: string) =>
    QUESTION_PROPERTY.test(property) ? question : '';
  const built = instanceOf(schema, { text, spare: true }) as Record<
    string,
    unknown
  >;
  const usesQuestion = Object.values(built).includes(question);
  const firstText = Object.keys(built).find((key) => built[key] === '');
  if (!usesQuestion && firstText !== undefined) built[firstText] = question;
  return JSON.stringify(built);
}
