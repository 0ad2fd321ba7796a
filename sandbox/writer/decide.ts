import type { FunctionTool } from 'openai/resources/responses/responses';
import type { Ask } from './ask';
import type { Conversation } from './conversation';
import { agentsChoice, isHandoff } from './decide-agent';
import { readBrief } from './brief';
import { instanceOf } from './schema-instance';
import type { SteeredCall } from './steering';
import { asksToLoop, steeredCalls } from './steering';

const RESEARCH_TOOL = 'deep_research';
const RESEARCH_WORDS =
  /자세히|자세하게|상세|조사|연구|리서치|역사|유래|분석|심층|깊이|보고서|비교|\b(research|investigat\w*|in[- ]depth|in (great |more )?detail|deep dive|history of|origins? of|reports? on|analy[sz]e|analysis of|compar(e|ison)|literature review)\b/i;
const QUESTION_PROPERTY =
  /^(research_question|question|query|topic|prompt|message|input|text)$/;
const LIST_LINE = /^\s*-\s+(.+?)\s*$/;

/** Whether the message asks for more than can be said off the cuff. */
export const wantsResearch = (text: string) => RESEARCH_WORDS.test(text);

/** The function calls this turn makes; none means it answers. */
export function decideCalls(ask: Ask, talk: Conversation): SteeredCall[] {
  if (ask.choice === 'none' || ask.functions.length === 0) return [];
  const calls = wantedCalls(ask, talk);
  return ask.parallel ? calls : calls.slice(0, 1);
}

function wantedCalls(ask: Ask, talk: Conversation): SteeredCall[] {
  const searchText = readBrief(talk.userText).searchText || talk.userText;
  const answered = talk.toolOutputs.length > 0;
  const research = ask.functions.find((tool) => tool.name === RESEARCH_TOOL);
  const call = (tool: FunctionTool, question = searchText): SteeredCall => ({
    name: tool.name,
    arguments: argumentsFor(tool, question),
  });

  if (research && asksToLoop(talk.userText)) return [call(research)];
  const begun = answered || talk.handedOver;
  const steered = begun ? [] : steeredCalls(talk.userText);
  if (steered.length > 0) return steered;
  if (typeof ask.choice === 'object') {
    const { name } = ask.choice;
    return ask.functions
      .filter((tool) => tool.name === name)
      .map((t) => call(t));
  }
  if (ask.choice === 'required') return [call(research ?? ask.functions[0])];
  if (answered) return [];
  const told = `${ask.instructions}\n${talk.systemText}`;
  const chosen = agentsChoice(ask.functions, told, searchText, talk);
  if (chosen) return [call(chosen)];
  if (research && wantsResearch(searchText))
    return questionsIn(searchText).map((question) => call(research, question));
  const named = ask.functions.filter(
    (tool) =>
      searchText.includes(tool.name) && !(talk.handedOver && isHandoff(tool)),
  );
  return named.map((tool) => call(tool));
}

/** Several questions are those of a list of two or more lines that ends the message; a list before the question is its context. */
export function questionsIn(text: string): string[] {
  const listed: string[] = [];
  for (const line of text.trim().split('\n').reverse()) {
    const item = LIST_LINE.exec(line)?.[1];
    if (item === undefined) break;
    listed.unshift(item);
  }
  return listed.length >= 2 ? listed : [text];
}

/** Arguments from the tool's own schema: the question where it belongs, null or nothing wherever that is allowed. */
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
