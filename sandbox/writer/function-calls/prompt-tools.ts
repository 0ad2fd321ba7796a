import type { FunctionTool } from 'openai/resources/responses/responses';
import type { Ask } from '../request/ask';
import { readBrief } from '../request/brief';
import type { Conversation } from '../request/conversation';
import { argumentsFor, questionsIn } from './decide';
import { agentsChoice } from './decide-agent';
import { clarifyingQuestion, wantsResearch } from './decide-research';
import type { SteeredCall } from './steering';
import { asksToLoop, laterCalls, steeredCalls } from './steering';

const CONVENTION = /"tool_name"[\s\S]*"arguments"/;
const DESCRIBED =
  /^([\w-]{1,64}): (.*(?:\n.+)*?)\nIts arguments as JSON Schema: (\{.*\})$/gm;
const QUESTION_PARAMETERS = ['research_question', 'question', 'query'];

/**
 * The reply of a model that knows its tools only from the prompt: `{"tool_name", "arguments"}` as its whole text, one on
 * each line if there are several, where the instructions describe that convention and the message asks for research, or
 * for what one of several agents does. Null where it should answer instead.
 */
export function promptedCall(ask: Ask, talk: Conversation): string | null {
  const told = `${ask.instructions}\n${talk.systemText}`;
  if (ask.functions.length > 0 || !CONVENTION.test(told)) return null;
  const loops = asksToLoop(talk.userText);
  const answered = talk.toolOutputs.length > 0;
  const begun = answered || talk.handedOver || talk.clarified !== undefined;
  const steered = begun
    ? laterCalls(talk.userText, talk.turns)
    : steeredCalls(talk.userText);
  if (steered.length > 0) return steered.map(written).join('\n');
  if (answered && !loops) return null;
  const searchText = talk.clarified ?? readBrief(talk.userText).searchText;
  const tools = describedTools(told);
  const chosen = agentsChoice(tools, told, searchText, talk);
  if (chosen)
    return written({
      name: chosen.name,
      arguments: argumentsFor(chosen, searchText),
    });
  const question = clarifyingQuestion(tools, searchText, talk);
  if (question) return written(question);
  if (!told.includes('deep_research')) return null;
  const wants = talk.clarified !== undefined || wantsResearch(searchText);
  if (!loops && !wants) return null;
  const parameter =
    QUESTION_PARAMETERS.find((name) =>
      new RegExp(`\\b${name}\\b`).test(told),
    ) ?? 'research_question';
  return questionsIn(searchText)
    .map((question) =>
      JSON.stringify({
        tool_name: 'deep_research',
        arguments: { [parameter]: question },
      }),
    )
    .join('\n');
}

function written({ name, arguments: args }: SteeredCall): string {
  return `{"tool_name": ${JSON.stringify(name)}, "arguments": ${args}}`;
}

/** The tools that the instructions describe with a JSON Schema each. */
function describedTools(told: string): FunctionTool[] {
  return [...told.matchAll(DESCRIBED)].flatMap(
    ([, name, description, json]) => {
      try {
        const parameters = JSON.parse(json) as FunctionTool['parameters'];
        return [
          { type: 'function', name, description, parameters, strict: true },
        ];
      } catch {
        return [];
      }
    },
  );
}
