import type { Ask } from './ask';
import { readBrief } from './brief';
import type { Conversation } from './conversation';
import { questionsIn, wantsResearch } from './decide';
import { asksToLoop, steeredCalls } from './steering';

const CONVENTION = /"tool_name"[\s\S]*"arguments"/;
const QUESTION_PARAMETERS = ['research_question', 'question', 'query'];

/**
 * The reply of a model that knows its tools only from the prompt: `{"tool_name", "arguments"}` as its whole text, one on
 * each line if there are several, where the instructions describe that convention and the message asks for research. Null
 * where it should answer instead.
 */
export function promptedCall(ask: Ask, talk: Conversation): string | null {
  const told = `${ask.instructions}\n${talk.systemText}`;
  if (ask.functions.length > 0 || !CONVENTION.test(told)) return null;
  const loops = asksToLoop(talk.userText);
  if (talk.toolOutputs.length > 0 && !loops) return null;
  const steered = steeredCalls(talk.userText);
  if (steered.length > 0)
    return steered
      .map(
        (call) =>
          `{"tool_name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}`,
      )
      .join('\n');
  const { searchText } = readBrief(talk.userText);
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
