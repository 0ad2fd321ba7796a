import type { FunctionTool } from 'openai/resources/responses/responses';
import type { Ask } from '../request/ask';
import { readBrief } from '../request/brief';
import type { Conversation } from '../request/conversation';
import { argumentsFor, questionsIn } from './decide';
import { agentsChoice } from './decide-agent';
import { clockCall } from './decide-clock';
import { clarifyingQuestion, wantsResearch } from './decide-research';
import type { SteeredCall } from './steering';
import { asksToLoop, laterCalls, steeredCalls } from './steering';

const CONVENTION = /"tool_name"[\s\S]*"arguments"/;
const DESCRIBED =
  /^([\w-]{1,64}): (.*(?:\n.+)*?)\nIts arguments as JSON Schema: (\{.*\})$/gm;
const QUESTION_PARAMETERS = ['research_question', 'question', 'query'];

/**
 * The reply of a model that gets its tools in the prompt: `{"tool_name", "arguments"}` as its whole text, one per line
 * for several, where the instructions describe that convention and the message needs research or one of several agents.
 * Null if it should answer instead.
 */
export function promptedCall(ask: Ask, talk: Conversation): string | null {
  const instructions = `${ask.instructions}\n${talk.systemText}`;
  if (ask.functions.length > 0 || !CONVENTION.test(instructions)) return null;
  const loops = asksToLoop(talk.userText);
  const answered = talk.toolOutputs.length > 0;
  const begun = answered || talk.handedOver || talk.clarified !== undefined;
  const steered = begun
    ? laterCalls(talk.userText, talk.turns)
    : steeredCalls(talk.userText);
  if (steered.length > 0) return steered.map(written).join('\n');
  const searchText = talk.clarified ?? readBrief(talk.userText).searchText;
  const tools = describedTools(instructions);
  const timed = clockCall(tools, searchText, talk, argumentsFor);
  if (timed) return written(timed);
  if (answered && !loops) return null;
  const chosen = agentsChoice(tools, instructions, searchText, talk);
  if (chosen)
    return written({
      name: chosen.name,
      arguments: argumentsFor(chosen, searchText),
    });
  const question = clarifyingQuestion(tools, searchText, talk);
  if (question) return written(question);
  if (!instructions.includes('deep_research')) return null;
  const wants = talk.clarified !== undefined || wantsResearch(searchText);
  if (!loops && !wants) return null;
  const parameter =
    QUESTION_PARAMETERS.find((name) =>
      new RegExp(`\\b${name}\\b`).test(instructions),
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

/** The tools that the instructions describe, each with a JSON Schema. */
function describedTools(instructions: string): FunctionTool[] {
  return [...instructions.matchAll(DESCRIBED)].flatMap(
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
