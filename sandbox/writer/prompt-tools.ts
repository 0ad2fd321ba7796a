import type { FunctionTool } from 'openai/resources/responses/responses';
import type { Ask } from './ask';
import { readBrief } from './brief';
import type { Conversation } from './conversation';
import { argumentsFor, questionsIn, wantsResearch } from './decide';
import { agentsChoice } from './decide-agent';
import { asksToLoop, steeredCalls } from './steering';

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
  if (talk.toolOutputs.length > 0 && !loops) return null;
  const steered = talk.handedOver ? [] : steeredCalls(talk.userText);
  if (steered.length > 0)
    return steered
      .map(
        (call) =>
          `{"tool_name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}`,
      )
      .join('\n');
  const { searchText } = readBrief(talk.userText);
  const chosen = agentsChoice(describedTools(told), told, searchText, talk);
  if (chosen)
    return `{"tool_name": ${JSON.stringify(chosen.name)}, "arguments": ${argumentsFor(chosen, searchText)}}`;
  if (!told.includes('deep_research')) return null;
  if (!loops && !wantsResearch(searchText)) return null;
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
